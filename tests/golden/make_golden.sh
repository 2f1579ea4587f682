#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make_golden.sh: write the *.golden files and power.txt beside it anew, from what scikit-learn, SciPy and R answer.
#
# Needs python3 with numpy, SciPy and scikit-learn (PYTHON=...), and R with MASS and e1071 (RSCRIPT=...). The tables are
# drawn from fixed seeds, so the same versions write the same bytes; each file names its versions.
# tests/unit/test_golden.c reads the files; its head says what their lines mean.
set -euo pipefail
cd "$(dirname "$0")"
"${PYTHON:-python3}" sklearn_cases.py .
"${RSCRIPT:-Rscript}" --vanilla r_cases.R .
"${PYTHON:-python3}" power_cases.py .
