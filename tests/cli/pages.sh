# SPDX-License-Identifier: Apache-2.0
#
# The man pages, the completion and docs/CLI.md know every option and command, and CLI.md every key of --json.
. "$TESTS/cli/common.bash"
ilk help --man >ilk.1
needs groff
groff -man -Tutf8 -ww ilk.1 2>&1 >/dev/null
ilk help --completion bash >ilk.bash
. ./ilk.bash

complete_line() {
    COMP_WORDS=("$@")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _ilk
    echo "$*: ${COMPREPLY[*]}"
}
complete_line ilk ''
complete_line ilk in
complete_line ilk help pre
complete_line ilk predict --p
complete_line ilk train --model g
complete_line ilk train --model = m
complete_line ilk train --smooth 1 --pri
complete_line ilk train data

missing() {     # FILE WHAT PATTERN: is it there, and not as the beginning of a longer name?
    grep -qE -e "$3([^a-z_-]|$)" "$1" || echo "$2 is not in $1"
}
cp "$TESTS/../docs/CLI.md" .
for command in $(ilk help | sed -n '/^Commands/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    ilk help --man "$command" >"ilk-$command.1"
    groff -man -Tutf8 -ww "ilk-$command.1" 2>&1 >/dev/null
    missing "ilk-$command.1" "its name" "^ilk\\\\-$command"
    missing ilk.1 "$command" "^\\.SS $command"
    missing CLI.md "$command" "^## ilk $command"
    for option in $(ilk help "$command" | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE '[-][-][a-z-]+'); do
        for page in ilk.1 "ilk-$command.1"; do missing "$page" "$option" "\\\\fB${option//-/\\\\-}\\\\fR"; done
        missing ilk.bash "$option" "$option"
        missing CLI.md "$option" "$option"
    done
done

needs jq
printf 'word,size,text,y\nred,1,win a prize,a\nblue,2.5,see you soon,b\n' >d.csv
printf 'red,2,a prize for you,a\nblue,4,soon at home,b\n' >>d.csv
{
    ilk train -q --json --smooth loo --text text --bins size=3 --target y d.csv -o m.bayes
    ilk update -q --json m.bayes d.csv
    ilk forget -q --json m.bayes d.csv
    ilk eval --json m.bayes d.csv
    ilk explain --json m.bayes d.csv
    ilk inspect --json m.bayes
    ilk export --to json m.bayes
    ilk predict -q --progress=json m.bayes d.csv 2>&1 >/dev/null
    ilk predict --json --posterior --joint --log-joint m.bayes d.csv | jq -c 'map_values(if type == "object" then 0 else . end)'
} | jq -r '.. | objects | keys[]' | sort -u >keys
cmp <(ilk sample --json -n 1 m.bayes | jq -r 'keys_unsorted | join(",")') <(ilk sample -n 1 m.bayes | head -n 1) &&
    echo 'sample: a key per column'
for key in $(cat keys); do grep -qF "\`$key\`" CLI.md || echo "the key $key is not in CLI.md"; done
grep -cx 'log_odds\|loo\|edges\|ngram_max\|total' keys
