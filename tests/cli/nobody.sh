# SPDX-License-Identifier: Apache-2.0
#
# A folder that the user may not write to.
. "$TESTS/cli/common.bash"
if [ "$(id -u)" != 0 ]; then
    mkdir closed
    chmod 555 closed
    as_nobody() { "$@"; }
else
    command -v setpriv >/dev/null || { echo "no setpriv"; exit 77; }
    mkdir closed
    mkdir -m 777 counts                 # where a build that measures coverage may write, as nobody
    as_nobody() { GCOV_PREFIX=$PWD/counts setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"; }
fi
# The command and the data must be within nobody's reach.
cp "$ILK" "$EXAMPLES/playtennis.csv" .
chmod 755 . ilk
as_nobody ./ilk --version >/dev/null 2>&1 || { echo "nobody cannot run a command here"; exit 77; }
fails as_nobody ./ilk train -q --target PlayTennis playtennis.csv -o closed/m.bayes
ls -A closed
