# SPDX-License-Identifier: Apache-2.0
#
# The recipes of docs/TEXT.md on four sets of real text, chosen by bench/recipes.sh without their test parts: they must do
# at least as well as promised. (The plain models on 20 Newsgroups: newsgroups.sh.)
groups=$("$TESTS/data.sh" 20newsgroups_bydate) || exit 77
titles=$("$TESTS/data.sh" thucnews_titles) || exit 77
hotels=$("$TESTS/data.sh" chnsenticorp_htl) || exit 77
waimai=$("$TESTS/data.sh" waimai_10k) || exit 77
# Smoothing is what leave-one-out chooses there (of folds: in the first), as a number, because choosing takes its time; of
# newsgroups it is near that.
common='--loo none --binary --unit-length'
words="$common --model complement --ngrams 1-2 --smooth .1"
pieces="$common --model one-vs-rest --tokens pieces --ngrams 1-3 --smooth"

# accuracy TRAIN TEST OPTION...
accuracy() {
    local train=$1 test=$2
    shift 2
    ilk train -q "$@" "$train" -o model.bayes
    ilk eval -q --json model.bayes "$test" | jq .accuracy
}

# least NAME LEAST: the mean of the accuracies read must be as good.
least() {
    awk -v name="$1" -v least="$2" '{ sum += $1 } END {
        good = NR && sum / NR >= least
        print name ": " (good ? "at least " least : sum / NR " is less than " least)
    }'
}

# folds CSV OPTION...: an accuracy for each of five; a record whose quotes are open goes on in the next line.
folds() {
    local csv=$1 i
    shift
    for i in 0 1 2 3 4; do
        awk -v fold=$i '
            NR == 1 { print >"learn.csv"; print >"check.csv"; next }
            {
                record = record == "" ? $0 : record "\n" $0
                copy = record
                if (gsub(/"/, "", copy) % 2) next
                print record >(++n % 5 == fold ? "check.csv" : "learn.csv")
                record = ""
            }' "$csv"
        accuracy learn.csv check.csv --target label --text review "$@"
    done
}

. "$TESTS/cli/common.bash"
needs jq
accuracy "$groups"/20news-bydate-{train,test} --format dirs $words | least '20 Newsgroups' .85
for part in train_33590 dev; do awk -F '\t' '{ print $2 "\t" $1 }' "$titles/$part.txt" >$part; done
accuracy train_33590 dev --format lines $pieces .024 | least 'titles' .88
folds "$hotels/ChnSentiCorp_htl_all.csv" $pieces .039 | least 'hotels' .868
folds "$waimai/waimai_10k.csv" $pieces .27 | least 'waimai' .878
