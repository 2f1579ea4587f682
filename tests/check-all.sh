#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# check-all.sh [STEP...]: everything we know to try, for `make check-all`, or only the named steps.
# A step is a function step_NAME; a new one is a function and a word in the list at the end.
# FUZZ_SECONDS (60) is the time per fuzz target; LEAST_BRANCHES (90) the share of branches of src/ that tests must take;
# MUTANTS (60) how many changes of the sources tests must notice, SEED which.
set -uo pipefail
. "$(dirname "$0")/lib.sh"
FUZZ_SECONDS=${FUZZ_SECONDS:-60}
LEAST_BRANCHES=${LEAST_BRANCHES:-90}

step_test() { tests/run.sh; }

step_numbers() {    # 10^7 of them, each as strtod reads it
    build release && ILK_MUCH=25 TEST_SECONDS=1800 start numbers build/tests/test_number
}

step_golden() {    # what scikit-learn and R answer today, where they are
    local to=build/golden
    # Where PATH has another Python than Debian's, that one may have no scikit-learn.
    export PYTHON=${PYTHON:-$(for p in python3 /usr/bin/python3; do
        "$p" -c 'import sklearn, scipy' 2>/dev/null && echo "$p" && break; done)}
    if ! "${PYTHON:-python3}" -c 'import sklearn, scipy' 2>/dev/null ||
        ! "${RSCRIPT:-Rscript}" -e 'library(MASS); library(e1071)' >/dev/null 2>&1; then
        echo "skipped golden: (scikit-learn, SciPy, or R with MASS and e1071, is missing)" >"$results/golden.sum"
        return
    fi
    rm -rf $to && mkdir -p $to && tests/golden/make_golden.sh $to || return
    export ILK_GOLDEN=$top/$to
    build release && start golden/test_golden build/tests/test_golden &&
        start golden/test_transform build/tests/test_transform && wait
    local status=$?
    unset ILK_GOLDEN
    return $status
}

step_clang() { build clang && unit_tests build/clang && cli_tests build/clang; }

step_ref() {    # as on a processor that has none of the faster kernels
    local -x ILK_KERNELS=ref
    local AS=ref
    build release && unit_tests build && cli_tests build
}

step_old() {    # on a processor that has none of AVX: there is one in the emulator
    if ! command -v qemu-x86_64 >/dev/null; then
        echo "skipped old: (qemu-x86_64 is missing)" >"$results/old.sum"
        return
    fi
    # What is exhaustive, huge or hangs on the clock has been seen elsewhere.
    build release && AS=old TEST_SECONDS=1800 LEAVE_OUT='test_flips test_huge test_torture' unit_tests build \
        qemu-x86_64 -cpu Nehalem
}

step_tsan() { build tsan && unit_tests build/tsan && cli_tests build/tsan; }

step_valgrind() {
    build dev || return
    # Exit status 99 on any error or definite leak; the program's own status otherwise. The exhaustive flips and the
    # huge tables, which ASan has seen, would take it half an hour.
    TEST_SECONDS=1800 LEAVE_OUT='test_flips test_huge test_torture' unit_tests build/dev valgrind -q --error-exitcode=99 \
        --suppressions=tests/valgrind.supp --leak-check=full --errors-for-leak-kinds=definite --
}

step_coverage() {
    build coverage || return
    find build/coverage -name '*.gcda' -delete
    # Some tests run under a limit of file size: what gcov says of that is not Ilk's output.
    export GCOV_ERROR_FILE=/dev/null
    unit_tests build/coverage
    cli_tests build/coverage
    wait
    # gcov names each source and its shares; the sums over src/ are the figures. A branch counts as covered when it was
    # taken, and every one counts: those of asserts and those that only a fault takes too. Nothing is left out by hand.
    find build/coverage -path '*/ilk_objects.dir/*' -name '*.gcda' -exec gcov -n -b -r -s "$top" {} + |
        awk -F"[':% ]+" -v least="$LEAST_BRANCHES" '
        /^File / { file = $2 }
        file !~ /^src\/.*\.c$/ { next }
        /^Lines executed/ && !(file in lines) { share[file] = $3; lines[file] = $5 }    # after the last: a sum of all
        /^Taken at least once/ { taken[file] = $5; branches[file] = $7 }
        END {
            for (file in lines) {
                printf "%6.1f %% of %4d lines, %6.1f %% of %4d branches  %s\n", share[file], lines[file], taken[file],
                    branches[file], file | "sort -k 13"
                hit += share[file] * lines[file] / 100; all += lines[file]
                took += taken[file] * branches[file] / 100; ways += branches[file]
            }
            close("sort -k 13")
            if (!all || !ways) exit 1
            printf "coverage of src/: %.1f %% of %d lines, %.1f %% of %d branches (at least %d)\n",
                100 * hit / all, all, 100 * took / ways, ways, least
            exit 100 * took / ways < least
        }' | tee "$results/coverage.txt"
}

step_kills() { build dev && TEST_SECONDS=1800 start kills tests/kills.sh build/dev; }

step_mutants() { tests/mutants.py; }

step_stream() {
    build release && TEST_SECONDS=7200 start stream tests/stream.sh build && wait && cat "$results/stream.tap"
}

step_hostile() { build release && TEST_SECONDS=7200 start hostile tests/hostile.sh build && wait; }

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

[ $# -gt 0 ] || set -- test numbers golden clang ref old tsan valgrind coverage kills mutants fuzz hostile stream
unpack_data
for name in "$@"; do run_step "$name"; done
cat "$results/coverage.txt" 2>/dev/null | tail -n 1
summary
status=$?
echo "commit $(git describe --always --abbrev=40 --dirty 2>/dev/null || echo unknown)"
exit $status
