#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# build.sh PRESET: configure and build one preset of CMakePresets.json; says nothing when there is nothing to do.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
dir=build
[ "$preset" = release ] || dir=build/$preset
mkdir -p "$dir"
exec 9>"$dir/.lock"
flock 9                                  # two builds in one folder would write over each other

# Configured every time (half a second), so that a library installed since then is seen.
cmake --preset "$preset" >"$dir/configure.log" 2>&1 || { cat "$dir/configure.log" >&2; exit 1; }
# Not as a sub-make of the front door: that one shares its jobs and announces every folder it enters.
env -u MAKEFLAGS -u MAKELEVEL cmake --build "$dir" --parallel "${JOBS:-$(nproc)}" 9>&-
