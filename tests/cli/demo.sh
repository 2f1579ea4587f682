# SPDX-License-Identifier: Apache-2.0
#
# The tour: it needs nothing, leaves nothing, and its table is the example's.
. "$TESTS/cli/common.bash"
ilk demo | rounded
ls -A "$TMPDIR"; ls -A .
sed -n '/^static const char tennis/,/;$/s/.*"\(.*\)\\n";*$/\1/p' "$TESTS/../cli/demo.c" |
    cmp - "$EXAMPLES/playtennis.csv" && echo "the same days"
ilk demo 2>/dev/null | head -n 1
fails ilk demo data.csv
TMPDIR=/nowhere fails ilk demo
# A signal leaves nothing either. Nobody reads the pipe, so the tour waits in the middle.
mkdir interrupted
mkfifo pipe
TMPDIR=$PWD/interrupted ilk demo >pipe 2>&1 &
exec 3<pipe
while [ -z "$(ls interrupted/*/*.bayes 2>/dev/null)" ] && kill -0 $! 2>/dev/null; do sleep 0.01; done
kill -TERM $! 2>/dev/null
wait $!
exec 3<&-
ls -A interrupted
