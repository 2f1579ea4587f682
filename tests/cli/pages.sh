# SPDX-License-Identifier: Apache-2.0
#
# The man page, the completion and docs/CLI.md know every option and command.
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
complete_line ilk train --model ''
complete_line ilk train --model = m
complete_line ilk train --smooth 1 --pri
complete_line ilk train data

missing() {     # FILE WHAT PATTERN: is it there?
    grep -qF -e "$3" "$1" || echo "$2 is not in $1"
}
cp "$TESTS/../docs/CLI.md" .
for command in $(ilk help | sed -n '/^Commands/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    missing ilk.1 "$command" ".SS $command"
    missing CLI.md "$command" "## ilk $command"
    for option in $(ilk help "$command" | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE '[-][-][a-z-]+'); do
        missing ilk.1 "$option" "\\fB${option//-/\\-}\\fR"
        missing ilk.bash "$option" "$option"
        missing CLI.md "$option" "$option"
    done
done
