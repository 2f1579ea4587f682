#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# data.sh NAME: print the folder of a real data set, unpacked on demand from $ILK_DATA/NAME.tar.xz into build/data/.
# Where there is none: says so on stderr and exits 77, which a shell test hands on as its own skip:
#     dir=$("$TESTS/data.sh" cs229_2018) || exit 77
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
name=$1 archive=${ILK_DATA:-$top/../shared/data}/$1.tar.xz out=$top/build/data
if [ ! -d "$out/$name" ]; then
    [ -f "$archive" ] || { echo "no data set $name: set ILK_DATA to the folder of $name.tar.xz" >&2; exit 77; }
    mkdir -p "$out"
    exec 9>"$out/.lock"
    flock 9                                             # two tests may want it at once
    if [ ! -d "$out/$name" ]; then
        part=$(mktemp -d "$out/.part.XXXXXX")
        trap 'rm -rf "$part"' EXIT
        tar -xf "$archive" -C "$part" --no-same-owner
        mv "$part/$name" "$out/$name"                   # a half-unpacked set is never seen
    fi
fi
echo "$out/$name"
