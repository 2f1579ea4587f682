# SPDX-License-Identifier: Apache-2.0
#
# Sourced by run.sh and check-all.sh: run programs that speak TAP, two at a time, and add up what they say.
#
#   build PRESET               scripts/build.sh; a build that fails is a failed result
#   start NAME COMMAND...       run one program in the background; NAME is what reports call it
#   unit_tests BUILD [WRAPPER...], cli_tests BUILD, replay_tests BUILD     (LEAVE_OUT: unit tests not to run)
#   summary                     wait; name every skip and failure; the last line is the count

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$top" || exit 1
export LC_ALL=C
export CMOCKA_MESSAGE_OUTPUT=TAP
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=1:strict_string_checks=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1:second_deadlock_stack=1}
JOBS=${JOBS:-2}
TEST_SECONDS=${TEST_SECONDS:-600}       # a program that takes longer hangs

results=$top/build/results/$(basename "$0" .sh)
rm -rf "$results"
mkdir -p "$results"

# Real data, where this machine has some. C tests find the unpacked archives below ILK_DATA_DIR.
if [ -z "${ILK_DATA:-}" ] && [ -d "$top/../shared/data" ]; then ILK_DATA=$top/../shared/data; fi
export ILK_DATA=${ILK_DATA:-}
unset ILK_DATA_DIR
unpack_data() {
    [ -n "$ILK_DATA" ] || return 0
    local name
    for name in cs229_2018 cs229_spam_data; do tests/data.sh "$name" >/dev/null || return 0; done
    export ILK_DATA_DIR=$top/build/data
}

# Where nothing is missing, nothing may be skipped.
strict() { [ -n "$ILK_DATA" ] && [ -z "$(scripts/deps.sh --missing test)" ]; }

run_program() {
    local name=$1 log=$results/${1//\//_} status=0
    shift
    timeout "$TEST_SECONDS" "$@" >"$log.tap" 2>"$log.err" </dev/null || status=$?
    awk -v program="$name" -v status="$status" -f tests/tap.awk "$log.tap" >"$log.sum"
    # One write each, so that two programs' reports do not mix.
    if grep -q '^failed' "$log.sum"; then
        printf '%s\n' "$(sed "s|^|$name: |" "$log.tap" "$log.err")"
    else
        printf 'ok %s (%s)\n' "$name" "$(grep -c . "$log.sum")"
    fi
}

start() {
    while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do wait -n || true; done
    run_program "$@" &
}

build() {
    scripts/build.sh "$1" && return
    echo "failed build: $1" >"$results/build_$1.sum"
    return 1
}

# AS names a build that is run once more in another way, so that it does not write over what came of it before.
label() { if [ -n "${AS:-}" ]; then echo "$AS"; elif [ "$1" = build ]; then echo release; else basename "$1"; fi; }

unit_tests() {
    local build=$1 source name
    shift
    for source in tests/unit/test_*.c; do
        name=$(basename "$source" .c)
        [[ " ${LEAVE_OUT:-} " != *" $name "* ]] || continue
        if [ -x "$build/tests/$name" ]; then
            start "$(label "$build")/$name" "$@" "$build/tests/$name"
        elif [ -f "$source" ]; then
            echo "skipped $(label "$build")/$name: (cmocka is missing)" >"$results/$(label "$build")_$name.sum"
        fi
    done
}

cli_tests() { start "$(label "$1")/cli" tests/cli.sh --build "$1"; }

replay_tests() {
    local source name
    for source in fuzz/fuzz_*.c; do
        name=$(basename "$source" .c)
        [ ! -f "$source" ] || start "$(label "$1")/$name" "$1/fuzzers/$name" "fuzz/corpus/${name#fuzz_}"
    done
}

summary() {
    wait
    local strict=no
    if strict; then strict=yes; fi
    find "$results" -name '*.sum' | sort | xargs -r cat | awk -v strict=$strict '
        $1 == "skipped" && strict == "yes" { $1 = "failed"; $0 = $0 " (no skips where nothing is missing)" }
        { count[$1]++ }
        $1 != "passed" { print }
        END {
            printf "%d passed, %d failed, %d skipped\n", count["passed"], count["failed"], count["skipped"]
            exit count["failed"] > 0 || count["passed"] == 0
        }'
}
