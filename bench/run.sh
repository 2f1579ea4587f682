#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# run.sh: every benchmark, and beside it what the peers take in the same run where PYTHON (default: python3) has
# scikit-learn. Only ratios taken in one run mean anything; on a busy machine not even those.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
build/bench/in_memory | tee build/bench/in_memory.txt
"$python" bench/text.py build/ilk build/bench/text
if ! "$python" -c 'import sklearn' 2>/dev/null; then
    echo "no peers: $python has no scikit-learn (PYTHON=... names one that has)"
    exit 0
fi
printf '\nscikit-learn in the same run:\n'
"$python" bench/peers.py | while IFS=$'\t' read -r job seconds; do
    ours=$(awk -v job="$job" 'index($0, job) == 1 { n = split($0, f, " +")
        for (i = 1; i < n; i++) if (f[i + 1] == "s") { print f[i]; exit } }' \
        build/bench/in_memory.txt)
    printf '%-44s %9.4f s   Ilk %9.4f s   %6.1f times as fast\n' "$job" "$seconds" "$ours" \
        "$(awk -v a="$seconds" -v b="$ours" 'BEGIN { print a / b }')"
done
printf '\nwhat README.md says of both:\n'
"$python" bench/claims.py build/ilk
if "$python" -c 'import pandas' 2>/dev/null; then
    "$python" bench/from_csv.py
else
    echo "no pandas: $python has none"
fi
