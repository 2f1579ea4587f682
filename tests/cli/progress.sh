# SPDX-License-Identifier: Apache-2.0
#
# --progress json: one object per line on standard error, the last one when the pass has ended.
. "$TESTS/cli/common.bash"
needs jq
yes "$(tail -n +2 "$EXAMPLES/playtennis.csv")" | head -n 400000 >many.csv
(ilk train -q --progress json --no-header --target 6 --ignore 1 many.csv -o m.bayes 2>&1 >/dev/null) >lines
jq -c 'keys' lines | sort -u
tail -n 1 lines | jq -c '[.rows, .bytes == .total_bytes, .done, .seconds >= 0]'
head -n -1 lines | jq -c .done | grep -v false
cat many.csv | ilk predict -q --progress=json --no-header m.bayes - 2>&1 >/dev/null | tail -n 1 |
    jq -c '[.rows, .total_bytes, .done]'
ilk eval --progress none --no-header m.bayes many.csv 2>&1 >/dev/null
ilk eval -q --progress auto --no-header m.bayes many.csv 2>&1 >/dev/null
# Of two readings the second is the one that is done.
(ilk train --json --progress json --loo all --no-header --target 6 --ignore 1 many.csv -o all.bayes 2>&1 >/dev/null) |
    grep '^{' | jq -c 'select(.done) | [.rows, .done]'
fails ilk train --progress dots many.csv -o m2.bayes

# Interrupted: at once, and nothing is left.
mkfifo pipe
ls >before
env --default-signal=INT ilk train -q --no-header pipe -o interrupted.bayes &    # bash lets these ignore it
exec 9>pipe
head -n 100 many.csv >&9
kill -INT $!
wait $!
echo "exit $?"
exec 9>&-
ls | diff before - && echo "nothing left"
