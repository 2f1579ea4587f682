#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# check-all.sh [STEP...]: everything we know to try, for `make check-all`, or only the named steps.
# A step is a function step_NAME; a new one is a function and a word in the list at the end.
# FUZZ_SECONDS (60) is the time per fuzz target.
set -uo pipefail
. "$(dirname "$0")/lib.sh"
FUZZ_SECONDS=${FUZZ_SECONDS:-60}

step_test() { tests/run.sh; }

step_clang() { build clang && unit_tests build/clang && cli_tests build/clang; }


step_tsan() { build tsan && unit_tests build/tsan && cli_tests build/tsan; }

step_valgrind() {
    build dev || return
    # Exit status 99 on any error or definite leak; the program's own status otherwise. The exhaustive flips and the huge
    # tables, which ASan has seen, would take it half an hour.
    LEAVE_OUT='test_flips test_torture' unit_tests build/dev valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite --
}

step_coverage() {
    build coverage || return
    find build/coverage -name '*.gcda' -delete
    # Some tests run under a limit of file size: what gcov says of that is not Ilk's output.
    export GCOV_ERROR_FILE=/dev/null
    unit_tests build/coverage
    cli_tests build/coverage
    wait
    # gcov names each source and its share; the sum over src/ is the figure.
    find build/coverage -path '*/ilk_objects.dir/*' -name '*.gcda' -exec gcov -n -r -s "$top" {} + | awk -F"[':% ]+" '
        /^File / { file = $2 }
        /^Lines executed/ && file ~ /^src\/.*\.c$/ {
            printf "%6.1f %% of %5d lines  %s\n", $3, $5, file
            hit += $3 * $5 / 100; all += $5; file = ""
        }
        END {
            if (!all) exit 1
            printf "coverage of src/: %.1f %% of %d lines\n", 100 * hit / all, all
        }' | tee "$results/coverage.txt"
}

fuzz_one() {    # NAME: as TAP; new inputs stay in build/fuzz/corpus, what crashed beside them
    local found=build/fuzz/corpus/${1#fuzz_} seeds=fuzz/corpus/${1#fuzz_} good='not ok'
    mkdir -p "$found"
    [ -d "$seeds" ] || seeds=
    "build/fuzz/fuzzers/$1" -max_total_time="$FUZZ_SECONDS" -timeout=25 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$found-" "$found" $seeds && good=ok
    printf '1..1\n%s 1 - %s s\n' "$good" "$FUZZ_SECONDS"
}
step_fuzz() {
    build fuzz || return
    local source name TEST_SECONDS=$((FUZZ_SECONDS + 300))
    export -f fuzz_one
    export FUZZ_SECONDS
    for source in fuzz/fuzz_*.c; do
        name=$(basename "$source" .c)
        [ ! -f "$source" ] || start "fuzz/$name" bash -c "fuzz_one $name"
    done
    wait
}

run_step() {    # a step that does not even build is a failure too
    local begin=$SECONDS how=passed
    echo "== $1"
    "step_$1" || how=failed
    wait
    echo "$how check-all: step $1" >"$results/step_$1.sum"
    echo "== $1: $((SECONDS - begin)) s"
}

[ $# -gt 0 ] || set -- test clang tsan valgrind coverage fuzz
unpack_data
for name in "$@"; do run_step "$name"; done
cat "$results/coverage.txt" 2>/dev/null | tail -n 1
summary
status=$?
echo "commit $(git describe --always --abbrev=40 --dirty 2>/dev/null || echo unknown)"
exit $status
