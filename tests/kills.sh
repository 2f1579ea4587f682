#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# kills.sh [BUILD]: kill -9 while commands write a model: the file there is the old one or the new one, to the byte. As
# TAP. BUILD (build/dev) must have been built with ILK_FAULTS.
#
# Each command dies once at every step of writing (ILK_KILL_AT, core/fault.h), so that the window between the creation
# of the temporary file and the rename is hit for certain, and often by a signal from outside, at any time. That a build
# which writes in place would fail is shown too, by ILK_IN_PLACE.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
. tests/tap.sh
build=$PWD/${1:-build/dev}
work=$(mktemp -d "${TMPDIR:-/tmp}/ilk-kills.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export PATH="$build:$PATH" LC_ALL=C
ulimit -c 0
RANDOM=1                                                # the same delays every time
kills=0 inside=0 wrong=0

rows() { awk -v seed="$1" -v n="$2" 'BEGIN { srand(seed); print "x,c,y"
    for (i = 0; i < n; i++) printf "%.3f,v%d,%s\n", rand() * 9, rand() * 5, rand() < .5 ? "a" : "b" }'; }
rows 1 300 >old.csv
rows 2 200000 >new.csv                                # so many that there is time to kill it
ilk train -q old.csv -o old.bayes || exit 1
copies=($(yes old.bayes | head -n 500))                 # likewise

# The commands, each of which leaves m.bayes; before it, m.bayes is a copy of old.bayes, or not there.
train() { ilk train -q new.csv -o m.bayes; }
merge() { ilk merge -q "${copies[@]}" -o m.bayes; }
update() { ilk update -q m.bayes new.csv; }
create() { ilk train -q old.csv -o m.bayes; }
before() { rm -f m.bayes*; if [ "$1" != create ]; then cp old.bayes m.bayes; fi; }

# m.bayes is as before or as afterwards. What lies beside it is a temporary file that was whole when it got its name.
judge() {   # COMMAND
    local file good=yes
    if [ ! -e m.bayes ]; then
        [ "$1" = create ] || good=no
    elif ! cmp -s m.bayes "$1.new"; then
        [ "$1" != create ] && cmp -s m.bayes old.bayes || good=no
    fi
    for file in m.bayes.*; do
        [ ! -e "$file" ] || cmp -s "$file" "$1.new" || good=no
    done
    [ $good = yes ] || wrong=$((wrong + 1))
}

# Die at the first, second, … step until there is none.
at_every_step() {   # COMMAND
    local n=1 status
    while :; do
        before "$1"
        (ILK_KILL_AT=$n "$1") 2>said >/dev/null
        status=$?
        [ $status = 137 ] || break
        kills=$((kills + 1))
        grep -q '^killed at: renamed' said || inside=$((inside + 1))
        judge "$1"
        n=$((n + 1))
    done
    [ $status = 0 ] && [ $n -gt 5 ]                     # the last went through, after all those steps
}

# At a time drawn from those that the command took, in milliseconds, when nobody killed it.
from_outside() {    # COMMAND TIMES
    local i pid done=0 began took
    before "$1"
    began=$(date +%s%3N)
    "$1" >/dev/null 2>&1
    took=$(($(date +%s%3N) - began + 1))
    for ((i = 0; done < $2 && i < 20 * $2; i++)); do
        before "$1"
        ("$1" >/dev/null 2>&1) &
        pid=$!
        sleep "$(printf '0.%03d' $((RANDOM % took % 1000)))"
        pkill -KILL -P $pid 2>/dev/null                 # the command itself; the shell around it goes with it
        wait $pid 2>/dev/null
        [ $? = 137 ] || continue
        done=$((done + 1))
        judge "$1"
    done
    kills=$((kills + done))
    [ $done = "$2" ]
}

none_wrong() { [ $wrong = 0 ] || { echo "$wrong files were neither old nor new"; false; }; }
goes_on() {         # after a death that left its temporary file
    before train
    (ILK_KILL_AT=1000000 train) && cmp m.bayes train.new
}

for command in train merge update create; do
    before $command
    $command && mv m.bayes $command.new || { report 'not ok' "$command"; plan; }
done
for command in train merge update create; do
    if at_every_step $command; then report ok "$command dies at every step"
    else report 'not ok' "$command dies at every step"; fi
done
need=$(((200 - kills + 2) / 3))
for command in train merge update; do
    if from_outside $command $need; then report ok "$command is killed $need times from outside"
    else report 'not ok' "$command is killed $need times from outside"; fi
done
echo "# $kills kills, $inside of them between the creation of the file and its rename, $wrong wrong"
check 'every file is the old one or the new one' none_wrong
check 'at least 200 kills, 50 of them before the rename' test $kills -ge 200 -a $inside -ge 50
check 'the next run goes through' goes_on

export ILK_IN_PLACE=1
at_every_step train >/dev/null
check 'a build that writes in place would be noticed' test $wrong -gt 0
plan
