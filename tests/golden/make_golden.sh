#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make_golden.sh [FOLDER]: write the *.golden files and power.txt anew, beside it or into FOLDER, from what scikit-learn,
# SciPy and R answer.
#
# Needs python3 with numpy, SciPy and scikit-learn (PYTHON=...), and R with MASS and e1071 (RSCRIPT=...). The tables are
# drawn from fixed seeds, so the same versions write the same bytes; each file names its versions.
# tests/unit/test_golden.c reads the files; its head says what their lines mean.
set -euo pipefail
here=$(dirname "$0")
to=${1:-$here}
"${PYTHON:-python3}" "$here/sklearn_cases.py" "$to"
"${RSCRIPT:-Rscript}" --vanilla "$here/r_cases.R" "$to"
"${PYTHON:-python3}" "$here/power_cases.py" "$to"
