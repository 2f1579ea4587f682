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

# near FILE FILE [TOLERANCE]: the same lines, their comma-separated numbers to 1e-9 of the larger and 1, or TOLERANCE.
near() {
    paste "$1" "$2" | awk -v tolerance="${3:-1e-9}" -F '\t' '
        function abs(x) { return x < 0 ? -x : x }
        function most(a, b) { return a > b ? a : b }
        function differ(a, b) {
            if (a == b) return 0
            if (a !~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/ || b !~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/) return 1
            return abs(a - b) > tolerance * most(1, most(abs(a), abs(b)))
        }
        {
            n = split($1, a, ","); bad = n != split($2, b, ",")
            for (i = 1; i <= n && !bad; i++) bad = differ(a[i], b[i])
            if (bad) { print "line " NR ": " $1 " is not near " $2; worst = 1 }
        }
        END { if (NR == 0) print "nothing to compare"; exit worst || NR == 0 }'
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
