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
# Of several readings each is told, and the last is the one that is done.
for twice in "--loo all" "--passes 2" "--passes 2 --loo all" "--passes 2 --loo all -q"; do
    echo "$twice"
    (ilk train --progress json $twice --no-header --target 6 --ignore 1 many.csv -o all.bayes 2>&1 >/dev/null) |
        grep '^{' | jq -sc 'group_by(.reading)[] | last | [.reading, .readings, .rows, .bytes == .total_bytes, .done]'
done
ilk train --progress json --passes 2 --no-header --target 6 --transform 1=boxcox many.csv -o no.bayes 2>&1 >/dev/null |
    tail -n 2 | sed -E 's/,"rows.*,("done.*)/,\1/' # after a failure no other follows
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

# Also while it waits, of two readings in whichever, because what it has to say on standard error finds no room there.
for signal in INT TERM; do
    exec 9<>pipe
    dd if=/dev/zero of=pipe oflag=nonblock bs=4096 count=1000 2>/dev/null
    env --default-signal=INT ilk train -q --progress json --passes 2 --no-header many.csv -o interrupted.bayes 2>&9 &
    for _ in {1..100}; do
        grep -qs '^State:.S' /proc/$!/status && break    # it waits
        sleep 0.1
    done
    kill -$signal $!
    wait $!
    echo "exit $?"
    exec 9>&-
    ls | diff before - && echo "nothing left"
done
