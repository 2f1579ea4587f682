#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# recipes.sh: which options suit text? Tries a short, fixed list of them on four sets, on rows of the training parts alone;
# chooses the one with the best mean accuracy, and for each set the one best there; and only then reads the test parts,
# with the chosen ones.
#
# set          learnt from, validated on                                         tested on
# newsgroups   the first 70 % of each class by number, the rest: later, as the    the later part, as distributed
#              test part is later
# titles       four rows of five, the fifth                                       dev.txt
# hotels       within the training part of the first of five folds, four rows     five-fold cross-validation, row i in
# waimai       of five, the fifth                                                 fold i mod 5, mean accuracy
# So the choice has seen rows of the last four folds of hotels and waimai; the first fold, which it has not, is printed too.
#
# ILK_DATA names the folder of data sets, as for the tests. Output: tables as docs/TEXT.md has them.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
ilk=$PWD/build/ilk
candidates=(
    '--model multinomial'
    '--model multinomial --ngrams 1-2 --binary'
    '--model complement'
    '--model complement --binary --smooth loo-accuracy'
    '--model complement --binary --unit-length --smooth .1'
    '--model complement --ngrams 1-2 --binary --unit-length --smooth .1'
    '--model complement --tokens chars --ngrams 1-2'
)
groups=$(tests/data.sh 20newsgroups_bydate)
titles=$(tests/data.sh thucnews_titles)
hotels=$(tests/data.sh chnsenticorp_htl)/ChnSentiCorp_htl_all.csv
waimai=$(tests/data.sh waimai_10k)/waimai_10k.csv
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# accuracy TRAIN TEST OPTION...: of a model learnt from one and asked about the other.
accuracy() {
    local train=$1 test=$2 loo=none
    shift 2
    [[ "$*" != *loo* ]] || loo=auto
    "$ilk" train -q --loo $loo "$@" "$train" -o "$folder/model.bayes"
    "$ilk" eval -q --json "$folder/model.bayes" "$test" | sed 's/.*"accuracy":\([^,]*\),.*/\1/'
}

# by_number FOLDER: links to its files, the first 70 % of each class by number in groups.learn, the rest in groups.check.
by_number() {
    local class files early learn check
    for class in "$1"/*; do
        learn=$folder/groups.learn/${class##*/} check=$folder/groups.check/${class##*/}
        mkdir -p "$learn" "$check"
        mapfile -t files < <(ls "$class" | sort -n)
        files=("${files[@]/#/$class/}")
        early=$((${#files[@]} * 7 / 10))
        ln -s -t "$learn" "${files[@]:0:early}"
        ln -s -t "$check" "${files[@]:early}"
    done
}

# fold I NAME: of the records of a CSV with a header, number I mod 5 go to NAME.check, the others to NAME.learn.
fold() {
    awk -v fold="$1" -v name="$folder/$2" '
        NR == 1 { print >(name ".learn"); print >(name ".check"); next }
        {
            record = record == "" ? $0 : record "\n" $0
            copy = record
            if (gsub(/"/, "", copy) % 2) next               # a line break within quotes
            print record >(name (++n % 5 == fold ? ".check" : ".learn"))
            record = ""
        }'
}

by_number "$groups/20news-bydate-train"
awk -F '\t' '{ print $2 "\t" $1 }' "$titles/train_33590.txt" >"$folder/titles"
awk -F '\t' '{ print $2 "\t" $1 }' "$titles/dev.txt" >"$folder/titles.dev"
awk 'NR % 5' "$folder/titles" >"$folder/titles.learn"
awk 'NR % 5 == 0' "$folder/titles" >"$folder/titles.check"
for set in hotels waimai; do
    for i in 0 1 2 3 4; do fold $i $set.$i <"${!set}"; done
    fold 0 $set <"$folder/$set.0.learn"
done
csv=(--format csv --target label --text review)

echo '| options | newsgroups | titles | hotels | waimai | mean |'
echo '|---|---|---|---|---|---|'
for options in "${candidates[@]}"; do
    {
        accuracy "$folder"/groups.{learn,check} --format dirs $options
        accuracy "$folder"/titles.{learn,check} --format lines $options
        for set in hotels waimai; do accuracy "$folder"/$set.{learn,check} "${csv[@]}" $options; done
    } | awk -v options="$options" '
        { a[NR] = $1; sum += $1 }
        END { printf "| `%s` | %.4f | %.4f | %.4f | %.4f | %.4f |\n", options, a[1], a[2], a[3], a[4], sum / 4 }'
done | tee "$folder/table"

# best COLUMN: the options of the best row of the table.
best() { sort -s -t '|' -k "$1,$1nr" "$folder/table" | sed -n '1s/[^`]*`\([^`]*\)`.*/\1/p'; }

# test_SET OPTION...: the accuracy on the test part; of folds, the mean and the first.
test_newsgroups() { accuracy "$groups"/20news-bydate-{train,test} --format dirs "$@"; }
test_titles() { accuracy "$folder"/titles{,.dev} --format lines "$@"; }
test_folds() {
    local set=$1 i
    shift
    for i in 0 1 2 3 4; do accuracy "$folder/$set.$i".{learn,check} "${csv[@]}" "$@"; done
}
test_hotels() { test_folds hotels "$@"; }
test_waimai() { test_folds waimai "$@"; }

printf '\n| chosen by | options | tested on | accuracy | first fold |\n|---|---|---|---|---|\n'
column=2
for set in newsgroups titles hotels waimai; do
    column=$((column + 1))
    for by in 7 $column; do
        options=$(best $by)
        test_$set $options | awk -v by="$([ $by = 7 ] && echo mean || echo $set)" -v options="$options" -v set=$set '
            NR == 1 { first = $1 }
            { sum += $1 }
            END { printf "| %s | `%s` | %s | %.4f | %s |\n", by, options, set, sum / NR, (NR > 1 ? sprintf("%.4f", first) : "") }'
    done
done
