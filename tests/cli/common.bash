# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the tests of the command line.

# run COMMAND...: show the command, run it, and tell its exit code if it is not 0.
run() {
    local code=0
    echo "\$ $*"
    "$@" || code=$?
    [ $code = 0 ] || echo "exit $code"
}

# fails COMMAND...: the same with standard error in its place, which must be one line; and nothing may be left behind.
fails() {
    local before after lines
    before=$(find . | sort)
    run "$@" 2>errors
    lines=$(wc -l <errors)
    cat errors
    rm -f errors
    [ "$lines" = 1 ] || echo "not one line but $lines"
    after=$(find . | sort)
    [ "$before" = "$after" ] || diff <(echo "$before") <(echo "$after")
}

# valid: JSON lines pass through if each is valid (where jq is there to say so).
valid() {
    local all
    all=$(cat)
    if command -v jq >/dev/null; then jq -c . <<<"$all" >/dev/null || echo "not JSON"; fi
    echo "$all"
}
