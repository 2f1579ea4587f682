#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bins.sh: do bins do better than GDA where numbers are not normal? The course notes say so; here it is tried.
#
# Two sets, chosen before anything was run on them, because their columns are plainly not normal:
#   spambase    57 shares of words and lengths of runs: most are 0, the rest has long tails; 4,601 mails, 2 classes
#   ionosphere  34 numbers of radar echoes, squeezed into -1 … 1 and heaped at both ends; 351 rows, 2 classes
# Ten-fold cross-validation, row i in fold i mod 10 after a shuffle by a fixed seed. Whatever is learnt (bins, lambda,
# parameters) is learnt from the nine folds alone. One line per way: mean accuracy over the folds, the standard error of
# that mean, and the mean log-loss in nats. GDA gets a little shrinkage, so that no covariance is singular; QDA is not
# tried, because columns of spambase do not vary within a class at all.
#
# ILK_DATA names the folder of data sets, as for the tests.
set -euo pipefail
cd "$(dirname "$0")/.."
ilk=$PWD/build/ilk
spambase=$(tests/data.sh spambase)/spambase_kernlab.csv
ionosphere=$(tests/data.sh uci_brownlee)/ionosphere.csv
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# shuffled FILE: the rows without a header, in an order that depends on their numbers alone.
shuffled() { awk 'BEGIN { s = 20240229 } { s = (s * 16807) % 2147483647; printf "%d\t%s\n", s, $0 }' "$1" |
                 sort -n | cut -f 2-; }

# try SET NAME OPTION...: one line of the table.
try() {
    local set=$1 name=$2
    shift 2
    for fold in 0 1 2 3 4 5 6 7 8 9; do
        awk -v fold=$fold 'NR % 10 != fold' "$folder/$set" >"$folder/train.csv"
        awk -v fold=$fold 'NR % 10 == fold' "$folder/$set" >"$folder/test.csv"
        "$ilk" train -q --no-header "$@" -o "$folder/model.bayes" "$folder/train.csv"
        "$ilk" eval -q --no-header --json "$folder/model.bayes" "$folder/test.csv" |
            sed 's/.*"accuracy":\([^,]*\),"log_loss":\([^,]*\),.*/\1 \2/'
    done | awk -v set="$set" -v name="$name" '
        { a[NR] = $1; sum += $1; loss += $2; none = none || $2 == "null" }
        END {
            for (i in a) square += (a[i] - sum / NR) ^ 2
            printf "| %s | %s | %.4f | %.4f | %s |\n", set, name, sum / NR, sqrt(square / (NR - 1) / NR),
                none ? "inf" : sprintf("%.3f", loss / NR)
        }'
}

shuffled <(grep -v -i '^"\?make' "$spambase") >"$folder/spambase"
shuffled "$ionosphere" >"$folder/ionosphere"
echo '| set | model | accuracy | ± | log-loss |'
echo '|---|---|---|---|---|'
for set in spambase ionosphere; do
    try $set 'GDA, as it is' --model gda --shrink 0.01
    try $set 'Gaussian naive Bayes, as it is' --model nb
    try $set 'GDA, yeo-johnson' --model gda --shrink 0.01 --transform '*=yeo-johnson'
    try $set 'Gaussian naive Bayes, yeo-johnson' --model nb --transform '*=yeo-johnson'
    try $set 'naive Bayes, 5 bins of one width' --model nb --bins '*=bins:5'
    try $set 'naive Bayes, 5 quantiles' --model nb --bins '*=quantile:5'
    try $set 'naive Bayes, mdlp' --model nb --bins '*=mdlp'
done
