#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# run.sh [quick]: all tests of `make test`, or only the quick part of `make check`.
# The last line is exactly: N passed, N failed, N skipped.
set -uo pipefail
. "$(dirname "$0")/lib.sh"
part=${1:-all}
[ "$part" = all ] || LEAVE_OUT='test_flips test_huge'     # exhaustive; huge

released() {
    build release || return
    unit_tests build
    cli_tests build
    start guard tests/guard.sh
    [ "$part" = all ] || return 0
    start readme tests/readme.sh
    start headers tests/headers.sh
    start install tests/install.sh
    wait                                # the compiler wants both cores
}

sanitised() {
    build asan || return
    unit_tests build/asan
    cli_tests build/asan
    replay_tests build/asan
}

unpack_data
released
[ "$part" != all ] || sanitised
summary
