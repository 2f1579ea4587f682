#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# headers.sh: each public header compiles alone, as strict C and C++; the library exports what they declare and no more.
# As TAP.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
. tests/tap.sh

compile() { # COMPILER LANGUAGE STANDARD HEADER
    local strict='-Wall -Wextra -Wconversion -Wshadow -pedantic -Werror'
    [ "$2" = c++ ] || strict+=' -Wstrict-prototypes -Wmissing-prototypes'
    echo "#include <${4##*/}>" | $1 -x "$2" -std="$3" $strict -fsyntax-only -Iinclude -
}

# Names in statements marked ILK_API; the preprocessor takes the comments out and expands nothing.
declared() {
    cat include/*.h | gcc -fpreprocessed -dD -E -P -x c - | sed '/^ *#/d' | tr '\n;{}' ' \n\n\n' | grep -w ILK_API |
        grep -oE 'ilk_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u
}
exported() { nm -D --defined-only build/libilk.so | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort; }
exports_are_declared() { diff <(declared) <(exported); }
names_are_ours() { ! exported | grep -v '^ilk_'; }

first() { local c; for c in "$@"; do if command -v "$c"; then return; fi; done; }
gxx=$(first g++) clang=$(first clang clang-14) clangxx=$(first clang++ clang++-14)
for header in include/*.h; do
    for standard in c11 c17; do
        for cc in gcc $clang; do check "$header $standard ${cc##*/}" compile "$cc" c $standard "$header"; done
    done
    for cxx in $gxx $clangxx; do check "$header c++17 ${cxx##*/}" compile "$cxx" c++ c++17 "$header"; done
done
if [ -z "$gxx$clangxx" ]; then
    skip c++17 'no C++ compiler'
fi
check 'every exported name begins with ilk_' names_are_ours
check 'exported = declared ILK_API' exports_are_declared
plan
