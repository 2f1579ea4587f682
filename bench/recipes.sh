#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# recipes.sh: which options suit a set of texts? One rule for every set: train with each of a short, fixed list, take the
# one whose exact leave-one-out accuracy, which `ilk train` reports, is best (of equals the first), and only then read the
# test part, once.
#
# set          learnt from                                    tested on
# newsgroups   20 Newsgroups by date, its training part        its test part, which is later
# titles       THUCNews headlines, the training part           dev.txt
# hotels       four of five folds, row i in fold i mod 5;      the fifth: mean accuracy of the five. The choice is made
# waimai       of ChnSentiCorp and waimai                      anew for each fold, from its own training part
#
# Leave-one-out is on 10,000 rows of the training part, or on all if there are fewer.
#
#     bench/recipes.sh [ILK]
# ILK_DATA names the folder of data sets, as for the tests. Output: tables as docs/TEXT.md has them.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
ilk=${1:-$PWD/build/ilk}
candidates=(
    '--model multinomial'
    '--model complement'
    '--model complement --ngrams 1-2 --binary --unit-length --smooth loo-accuracy'
    '--model complement --tokens pieces --ngrams 1-3 --binary --unit-length --smooth loo-accuracy'
    '--model one-vs-rest --tokens pieces --ngrams 1-3 --binary --unit-length --smooth loo-accuracy'
)
groups=$(tests/data.sh 20newsgroups_bydate)
titles=$(tests/data.sh thucnews_titles)
hotels=$(tests/data.sh chnsenticorp_htl)/ChnSentiCorp_htl_all.csv
waimai=$(tests/data.sh waimai_10k)/waimai_10k.csv
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
declare -A reading=([newsgroups]='--format dirs' [titles]='--format lines'
    [hotels]='--format csv --target label --text review' [waimai]='--format csv --target label --text review')

# fold I NAME: of the records of a CSV with a header, number I mod 5 go to NAME.I.test, the others to NAME.I.train.
fold() {
    awk -v fold="$1" -v name="$folder/$2.$1" '
        NR == 1 { print >(name ".train"); print >(name ".test"); next }
        {
            record = record == "" ? $0 : record "\n" $0
            copy = record
            if (gsub(/"/, "", copy) % 2) next               # a line break within quotes
            print record >(name (++n % 5 == fold ? ".test" : ".train"))
            record = ""
        }'
}

ln -s "$groups/20news-bydate-train" "$folder/newsgroups.0.train"
ln -s "$groups/20news-bydate-test" "$folder/newsgroups.0.test"
awk -F '\t' '{ print $2 "\t" $1 }' "$titles/train_33590.txt" >"$folder/titles.0.train"
awk -F '\t' '{ print $2 "\t" $1 }' "$titles/dev.txt" >"$folder/titles.0.test"
for set in hotels waimai; do
    for i in 0 1 2 3 4; do fold $i $set <"${!set}"; done
done

# learn SET FOLD NUMBER: train with a candidate; prints its leave-one-out accuracy.
learn() {
    "$ilk" train -q --json ${reading[$1]} ${candidates[$3]} "$folder/$1.$2.train" -o "$folder/$1.$2.$3.bayes" |
        jq .loo.accuracy
}

# try SET FOLDS: a line `set fold candidate accuracy` each.
try() {
    for ((f = 0; f < $2; f++)); do
        for c in "${!candidates[@]}"; do echo "$1 $f $c $(learn "$1" $f $c)"; done
    done
}

{
    try newsgroups 1
    try titles 1
    try hotels 5
    try waimai 5
} >"$folder/tried"
echo '| options | newsgroups | titles | hotels | waimai |'
echo '|---|---|---|---|---|'
for c in "${!candidates[@]}"; do
    awk -v c=$c -v options="${candidates[c]}" '
        $3 == c { sum[$1] += $4; n[$1]++ }
        END {
            printf "| `%s` |", options
            split("newsgroups titles hotels waimai", sets, " ")
            for (i = 1; i <= 4; i++) printf " %.4f |", sum[sets[i]] / n[sets[i]]
            print ""
        }' "$folder/tried"
done

# The best of each set and fold, and what it does on the test part.
sort -s -k 1,1 -k 2,2n -k 4,4nr "$folder/tried" | awk '!seen[$1, $2]++ { print $1, $2, $3 }' >"$folder/chosen"
while read -r set f c; do
    echo "$set $c $("$ilk" eval -q --json "$folder/$set.$f.$c.bayes" "$folder/$set.$f.test" | jq .accuracy)"
done <"$folder/chosen" >"$folder/tested"
printf '\n| set | chosen, by leave-one-out | accuracy on the test part |\n|---|---|---|\n'
for set in newsgroups titles hotels waimai; do
    for c in "${!candidates[@]}"; do
        awk -v set=$set -v c=$c -v options="${candidates[c]}" '
            $1 == set && $2 == c { n++ }
            END { if (n) printf "| %s | `%s`%s | |\n", set, options, set ~ /hotels|waimai/ ? ", in " n " of 5 folds" : "" }
            ' "$folder/tested"
    done
    awk -v set=$set '$1 == set { sum += $3; n++ } END { printf "| %s | | %.4f |\n", set, sum / n }' "$folder/tested"
done
