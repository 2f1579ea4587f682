#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# readme.sh: does README.md tell the truth? As TAP.
#
# ```console blocks are run: a line `$ command` (continued by a backslash) is executed, what follows is its output, both
# streams together, compared byte for byte after tests/mask.sed. A ```c block whose first line is `/* NAME.c */` is
# written to that file. Everything runs in order in one shell and one folder, which has a copy of examples/, ilk on the
# PATH and an installed copy that pkg-config finds. README.zh-CN.md must have the same blocks, the
# sh ones included, and `make demo`, to which they send the reader, must run.
set -uo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/ilk-readme.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/parts" "$work/run"
. "$top/tests/tap.sh"

# FILE: its console, c and sh blocks, fences included.
blocks() { awk '/^```/ { if (on) { print; on = 0; next } on = /^```(console|c|sh)$/ } on' "$1"; }
same_blocks() { diff <(blocks "$top/README.md") <(blocks "$top/README.zh-CN.md"); }

# `make demo` runs to its end: every section that scripts/demo.sh announces is there.
demo_runs() {
    local out
    out=$(env -u MAKEFLAGS -u MAKELEVEL make -s -C "$top" demo DEPS=no </dev/null 2>&1) &&
        diff <(sed -n 's/^title "\(.*\)"$/== \1/p' "$top/scripts/demo.sh") <(grep '^== ' <<<"$out") ||
        { echo "$out"; false; }
}

# Cut the blocks into parts, in order: NNN.cmd with NNN.out, or NNN.file whose first line names the file to write.
cut_blocks() {
    blocks "$top/README.md" | awk -v parts="$work/parts" '
        function part(kind) { return sprintf("%s/%03d.%s", parts, n, kind) }
        /^```/ { block = substr($0, 4); fresh = 1; more = 0; next }
        block == "console" && !more && /^\$ /  { n++; printf "" > part("out"); sub(/^\$ /, ""); more = 1 }
        block == "console" && more            { print > part("cmd"); more = /\\$/; next }
        block == "console"                    { print > part("out") }
        block == "c" && fresh                 { keep = /^\/\* [a-z0-9_]+\.c \*\/$/ }
        block == "c" && fresh && keep         { n++; print $2 > part("file") }
        block == "c" && keep                  { print > part("file") }
        { fresh = 0 }'
}

run_part() {    # NNN.cmd: run it in this shell, so that cd and variables last
    local out=${1%.cmd}.out got=$work/got status=0
    eval "$(cat "$1")" >"$got" 2>&1 </dev/null || status=$?
    if [ $status -lt 126 ] && diff -u --label README.md --label got \
        <(sed -E -f "$top/tests/mask.sed" "$out") <(sed -E -f "$top/tests/mask.sed" "$got") >"$work/diff"; then
        report ok "$(head -n 1 "$1")"
    else
        sed 's/^/# /' "$work/diff"
        report 'not ok' "$(head -n 1 "$1") (exit status $status)"
    fi
}

if [ ! -f "$top/README.md" ]; then
    report 'not ok' 'there is a README.md'
    plan
fi
check 'README.zh-CN.md has the same blocks' same_blocks
check 'make demo' demo_runs

DESTDIR=$work/dest "$top/scripts/install.sh" install /usr || report 'not ok' 'install'
rm -f "$top"/build/installed*ilk_readme*                # the folder goes as a whole
export PATH="$work/dest/usr/bin:$PATH" LC_ALL=C
export PKG_CONFIG_PATH=$work/dest/usr/lib/pkgconfig LD_LIBRARY_PATH=$work/dest/usr/lib
if [ -d "$top/examples" ]; then cp -r "$top/examples" "$work/run/"; fi
cut_blocks
cd "$work/run" || exit 1
for part in "$work"/parts/*.cmd "$work"/parts/*.file; do echo "$part"; done | sort >"$work/order"
while IFS= read -r part <&3; do
    case $part in
    *'*'*) ;;                                           # no part of this kind
    *.cmd) run_part "$part" ;;
    *.file) tail -n +2 "$part" >"$work/run/$(head -n 1 "$part")" ;;
    esac
done 3<"$work/order"
[ $count -gt 2 ] || report 'not ok' 'README.md has console blocks'
plan
