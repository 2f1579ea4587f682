# SPDX-License-Identifier: Apache-2.0
#
# How far it has come, as a bar on a terminal, which is wiped before anything else is said.
. "$TESTS/cli/common.bash"
command -v script >/dev/null || { echo "no script command"; exit 77; }
on_terminal() {
    TERM=xterm script -qec "$*" /dev/null </dev/null | sed 's/\r$//' | tr '\r' '\n' | sed 's/\x1b\[K/WIPE /'
}
# Each frame once, but for its numbers.
frames() {
    grep 'WIPE.*MB/s' "$1" | sed -E 's/\[#*\.*\]/[bar]/; s/[0-9]+%/N%/; s/[0-9]+:[0-9]{2} left/M:SS left/
        s/[0-9][0-9,.]* (rows|MB)/N \1/g; s/ +/ /g' | sort -u
}
# What stands where the last frame of a reading was.
instead() { grep -A 1 'WIPE.*MB/s' "$1" | grep -v '^--' | grep -v 'MB/s' | sed -E 's/[0-9][0-9,]+/N/g'; }

{ echo x,colour,nothing,class; yes $'1.5,red,,a\n2.5,blue,,b\n4.5,red,,b' | head -n 300000; } >many.csv

echo "--- a pipe, of which nobody knows the end"
mkfifo pipe
# The sleep begins when more has been read than is looked at ahead, so that the bar is overdue when it ends.
feed() { { cat many.csv; sleep 0.6; tail -n +2 many.csv; } >pipe & }
feed
on_terminal 'ilk train --loo none pipe -o pipe.bayes' >screen
frames screen
instead screen
for quiet in -q '--progress none' '2>errors'; do
    echo "--- $quiet"
    feed
    on_terminal "ilk train --loo none pipe -o pipe.bayes $quiet" >screen
    cat screen errors 2>/dev/null | grep -c -e WIPE -e $'\r' -e '[0-9] rows .*MB/s'
    rm pipe.bayes
done

# A file may be read before there is anything to draw: then twice as much of it, up to a bound.
until_drawn() {     # OPTIONS STRING...: into screen, until it has all of the strings
    local options=$1 files=many.csv string
    shift
    for _ in {1..10}; do
        on_terminal "ilk train --loo none $options $files -o m.bayes" >screen
        for string in "$@"; do
            grep -qF "$string" screen || { files="$files $files"; continue 2; }
        done
        return
    done
    echo "no bar"
}
echo "--- a file"
until_drawn '' ' left '
frames screen
instead screen
grep WIPE screen | grep ' left ' | grep -cvE '^WIPE \[#{1,24}\.{0,23}\] +[0-9]+%  [0-9]+:[0-5][0-9] left  [0-9,]+ rows '
grep -c $'\033' screen     # nothing but WIPE: no colours that NO_COLOR would have to switch off
echo "--- a file read twice, and a note between"
until_drawn '--passes 2' 'WIPE 1/2 [' 'WIPE 2/2 ['
frames screen
instead screen
echo "--- a narrow terminal"
feed
on_terminal 'stty cols 20; ilk train --loo none pipe -o pipe.bayes' >screen
grep 'WIPE [0-9,]* rows  ' screen | sed 's/WIPE //' | awk '{ print length }' | sort -un
