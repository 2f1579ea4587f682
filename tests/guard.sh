#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# guard.sh [--rewrite]: instructions of the hot paths (bench/guard.c, under callgrind) against bench/guard.txt. A path
# that takes over 10 % more than it says fails; so does one that takes over 10 % less, because the figure would let it
# grow again without a word, and one that has no figure. As TAP.
# --rewrite writes the figures anew; read the difference before you commit it.
#
# Counts do not depend on how busy a machine is, but on compiler and kernels: the figures hold for the pair in the first
# line of the file. valgrind 3.19 knows no AVX-512, so the AVX2 kernels stand for both.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
. tests/tap.sh
export ILK_KERNELS=avx2
figures=bench/guard.txt guard=build/bench/guard

counts() { # NAME COUNT, in the order of the jobs
    local dir status=0
    dir=$(mktemp -d)
    valgrind --tool=callgrind --collect-atstart=no --callgrind-out-file="$dir/out" "$guard" >"$dir/log" 2>&1 ||
        status=$?
    [ $status = 0 ] || cat "$dir/log" >&2
    for name in $("$guard" --list); do
        grep -lx "desc: Trigger: Client Request: $name" "$dir"/out.* |
            xargs -r awk -v name="$name" '$1 == "totals:" { print name, $2 }'
    done
    rm -rf "$dir"
    return $status
}

if [ "${1:-}" = --rewrite ]; then
    new=$(counts) && { echo "# instructions, for $("$guard" --set)"; echo "$new"; } >"$figures"
    exit
fi

found=$("$guard" --set)
if ! command -v valgrind >/dev/null; then
    skip 'instruction counts' 'valgrind is missing'
elif [ "$(head -1 "$figures")" != "# instructions, for $found" ]; then
    skip 'instruction counts' "$(head -1 "$figures"), and this is $found"
else
    now=$(counts) || report 'not ok' 'the hot paths under callgrind'
    while read -r name counted; do
        was=$(awk -v name="$name" '$1 == name { print $2 }' "$figures")
        echo "# $name: $counted, was ${was:-unknown}"
        if [ -n "$was" ] && [ $((counted * 10)) -le $((was * 11)) ] && [ $((counted * 10)) -ge $((was * 9)) ]; then
            report ok "$name"
        else
            report 'not ok' "$name: figures that hold no more are written anew by tests/guard.sh --rewrite"
        fi
    done <<<"$now"
fi
plan
