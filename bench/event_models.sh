#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# event_models.sh: does the multinomial event model beat the Bernoulli one on text, as the course notes say? Accuracy on
# the later part of 20 Newsgroups over the size of the vocabulary, all defaults. The earlier part is read once; every
# model comes from these statistics.
#
# ILK_DATA names the folder of data sets, as for the tests. Output: the table of docs/TEXT.md.
set -euo pipefail
cd "$(dirname "$0")/.."
ilk=$PWD/build/ilk
groups=$(tests/data.sh 20newsgroups_bydate)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$ilk" train -q --loo none --format dirs "$groups/20news-bydate-train" -o "$folder/all.bayes"
echo '| words | multinomial | Bernoulli | complement |'
echo '|---|---|---|---|'
for words in 100 200 500 1000 2000 5000 10000 20000 50000 100000 0; do
    for model in multinomial bernoulli complement; do
        "$ilk" estimate -q --vocab $words --model $model "$folder/all.bayes" -o "$folder/one.bayes"
        "$ilk" eval -q --json "$folder/one.bayes" "$groups/20news-bydate-test" | sed 's/.*"accuracy":\([^,]*\),.*/\1/'
    done | awk -v words=$words '{ a[NR] = $1 } END {
        printf "| %s | %.4f | %.4f | %.4f |\n", words ? words : "all", a[1], a[2], a[3] }'
done
