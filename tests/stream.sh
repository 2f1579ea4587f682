#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# stream.sh [BUILD]: STREAM_GB (3) gigabytes through a pipe are learnt in constant memory, as TAP.
# The rows have a number, a category and a text, and are gzipped for the second half: unpacking is constant, too.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
build=${1:-build} most=100 megabytes=$((${STREAM_GB:-3} * 1000))
work=$(mktemp -d "${TMPDIR:-/tmp}/ilk-stream.XXXXXX")
trap 'rm -rf "$work"' EXIT
cc -O2 tests/peak.c -o "$work/peak" || exit 1

# About a megabyte of rows, again and again.
awk 'BEGIN {
    for (i = 0; bytes < 1000000; i++) {
        line = (i * 7919 % 1000) / 8 "," (i % 3 ? "red" : "blue") ",see you at place " i * 31 % 5000 \
            " for lunch at noon," (i % 2 ? "a" : "b")
        print line
        bytes += length(line) + 1
    }
}' >"$work/rows"
rows=$(wc -l <"$work/rows")
generate() {    # N FILE
    local i
    for ((i = 0; i < $1; i++)); do cat "$2"; done
}
{ echo x,colour,text,class; cat "$work/rows"; } | gzip -1 >"$work/head.gz"
gzip -1 <"$work/rows" >"$work/rows.gz"

number=0 failed=0
measure() {     # NAME MEGABYTES: standard input is learnt; checks memory and that all rows were there
    local peak learnt good=ok
    peak=$("$work/peak" "$build/ilk" train --json --loo none -q - -o "$work/model" | tee "$work/out" | tail -n 1)
    learnt=$(sed -n 's/.*"rows": *\([0-9]*\).*/\1/p' "$work/out")
    [ "${learnt:-0}" = $((rows * $2)) ] && [ "${peak:-999999}" -lt $most ] || { good='not ok'; failed=1; }
    echo "$good $((++number)) - $1: $2 MB, ${learnt:-no} rows, peak ${peak:-unknown} MiB, less than $most"
}
measure plain $megabytes < <(echo x,colour,text,class; generate $megabytes "$work/rows")
measure gz $((megabytes / 2)) < <(cat "$work/head.gz"; generate $((megabytes / 2 - 1)) "$work/rows.gz")
echo "1..$number"
exit $failed
