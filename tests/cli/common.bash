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

# rounded: numbers to ten digits, because the last ones differ from processor to processor.
rounded() {
    awk '{
        line = $0; out = ""
        while (match(line, /[0-9]+\.[0-9]+(e-?[0-9]+)?/)) {
            x = substr(line, RSTART, RLENGTH)
            if (length(x) > 12) x = x + 0 < 1e-12 ? 0 : sprintf("%.10g", x)
            out = out substr(line, 1, RSTART - 1) x
            line = substr(line, RSTART + RLENGTH)
        }
        print out line
    }'
}

# needs COMMAND: skip the test, by name, where it is not installed.
needs() { command -v "$1" >/dev/null || { echo "no $1"; exit 77; }; }

# valid: what run prints passes through, rounded; the JSON in it must be valid.
valid() {
    local all
    all=$(cat)
    grep '^[[{]' <<<"$all" | jq . >/dev/null || echo "not JSON"
    rounded <<<"$all"
}
