#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# cli.sh [--build DIR] [--rewrite] [NAME...]: the command line tests, as TAP.
#
# A test is tests/cli/NAME.sh. It runs by bash in an empty folder of its own, with the ilk of DIR (default build) on the
# PATH, and must yield, after tests/mask.sed,
#     NAME.stdout, NAME.stderr    (no file: nothing)         NAME.exit    (no file: 0)
# --rewrite writes these files from what happened: read the diff before committing it. A script that exits 77 is
# skipped; the last line it printed is the reason. A script sees $EXAMPLES, $TESTS and $ILK; their values and its folder
# are written by these names ($PWD for the folder) in what is compared, so that no path of a machine gets in.
set -uo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
build=build rewrite=no
while :; do
    case ${1:-} in
    --build) build=$2; shift 2 ;;
    --rewrite) rewrite=yes; shift ;;
    *) break ;;
    esac
done
build=$(cd "$top" && cd "$build" && pwd) || exit 1
names=("$@")
[ $# -gt 0 ] || names=($(cd "$top/tests/cli" && ls | sed -n 's/\.sh$//p'))

work=$(mktemp -d "${TMPDIR:-/tmp}/ilk-cli.XXXXXX")
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"                       # some tests act as nobody
umask 022
ulimit -c 0
export LC_ALL=C PATH="$build:$PATH" EXAMPLES=$top/examples TESTS=$top/tests ILK=$build/ilk
unset NO_COLOR CDPATH

mask() {    # FILE FOLDER: hide what differs from run to run and from machine to machine
    sed -E -e "s|$2|\$PWD|g" -e "s|$EXAMPLES|\$EXAMPLES|g" -e "s|$TESTS|\$TESTS|g" -e "s|$ILK|\$ILK|g" \
        -e "s|$top/build/data|\$DATA|g" -f "$TESTS/mask.sed" "$1" >"$1.masked"
    mv "$1.masked" "$1"
}

keep() {    # ACTUAL EXPECTED: rewrite the expected file; one that would say the default is not kept
    if [ -s "$1" ]; then cp "$1" "$2"; else rm -f "$2"; fi
}

same() {    # ACTUAL EXPECTED: compare, show the difference as TAP comments
    local expected=$2
    [ -f "$expected" ] || expected=/dev/null
    diff -u --label "expected ${2##*/}" --label got "$expected" "$1" >"$1.diff" && return
    sed 's/^/# /' "$1.diff"
    return 1
}

run_test() {    # NAME: print comments, then the result without its number
    local name=$1 dir=$work/$1 status=0 kind good=yes
    local expected=$top/tests/cli/$1
    mkdir -p "$dir/run" "$dir/tmp"
    (cd "$dir/run" && TMPDIR=$dir/tmp HOME=$dir/tmp exec timeout 300 bash "$expected.sh") \
        >"$dir/stdout" 2>"$dir/stderr" </dev/null || status=$?
    if [ $status = 77 ]; then
        echo "ok - $name # SKIP $(cat "$dir/stdout" "$dir/stderr" | tail -n 1)"
        return
    fi
    if [ $status = 0 ]; then : >"$dir/exit"; else echo $status >"$dir/exit"; fi
    mask "$dir/stdout" "$dir/run"
    mask "$dir/stderr" "$dir/run"
    for kind in stdout stderr exit; do
        if [ $rewrite = yes ]; then keep "$dir/$kind" "$expected.$kind"; fi
        same "$dir/$kind" "$expected.$kind" || good=no
    done
    if [ $good = yes ]; then echo "ok - $name"; else echo "not ok - $name"; fi
    rm -rf "$dir/run"
}

# Two at a time; told in order.
for name in "${names[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-2}" ]; do wait -n || true; done
    run_test "$name" >"$work/$name.tap" &
done
wait
echo "1..${#names[@]}"
for name in "${names[@]}"; do cat "$work/$name.tap"; done |
    awk '/^(not )?ok - / { sub(/ok -/, "ok " ++n " -"); bad += /^not/ } { print } END { exit bad > 0 }'
