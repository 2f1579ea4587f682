# SPDX-License-Identifier: Apache-2.0
#
# Sourced by tests that are shell scripts and speak TAP.
#
#   check NAME COMMAND...       ok if the command succeeds; if not, what it said stands before the result
#   report ok|'not ok' NAME     a result known by other means;  skip NAME REASON
#   plan                        the last line of a script: how many there were, and exit 1 if one was bad

count=0 bad=0
report() {
    count=$((count + 1))
    echo "$1 $count - $2"
    [ "$1" = ok ] || bad=1
}
skip() { report ok "$1 # SKIP $2"; }
check() {
    local name=$1 out
    shift
    if out=$("$@" 2>&1); then
        report ok "$name"
    else
        printf '%s\n' "$out" | sed 's/^/# /'
        report 'not ok' "$name"
    fi
}
plan() {
    echo "1..$count"
    exit $bad
}
