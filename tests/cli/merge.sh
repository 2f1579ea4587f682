# SPDX-License-Identifier: Apache-2.0
#
# Learning is adding: the halves merged are the whole, to the byte where only counts are kept.
. "$TESTS/cli/common.bash"
half() { { head -n 1 "$1"; tail -n +2 "$1" | awk -v part="$2" 'NR % 2 == part'; }; }
for part in 0 1; do half "$EXAMPLES/playtennis.csv" $part >tennis$part.csv; done
train() { ilk train -q --model categorical --ignore Day --smooth 0.5 --target PlayTennis "$@"; }
train "$EXAMPLES/playtennis.csv" -o whole.bayes
train tennis0.csv -o 0.bayes
train tennis1.csv -o 1.bayes
run ilk merge -o merged.bayes 0.bayes 1.bayes
cmp merged.bayes whole.bayes && echo same bytes
run ilk merge -q -o other.bayes 1.bayes 0.bayes
cmp other.bayes whole.bayes && echo same bytes
run ilk merge -q -o 0.bayes 0.bayes 1.bayes
cmp 0.bayes whole.bayes && echo same bytes, in place
train tennis0.csv tennis1.csv -o both.bayes
cmp both.bayes whole.bayes && echo same bytes, two files

# Text: the dictionaries of the halves differ.
for part in 0 1; do
    awk -v part=$part 'NR % 2 == part' "$EXAMPLES/messages.tsv" >messages$part.tsv
    ilk train -q --format lines --min-docs 2 messages$part.tsv -o text$part.bayes
done
ilk train -q --format lines --min-docs 2 "$EXAMPLES/messages.tsv" -o text.bayes
run ilk merge -q -o text-merged.bayes text0.bayes text1.bayes
cmp text-merged.bayes text.bayes && echo same bytes

# What cannot be merged.
fails ilk merge -o new.bayes text.bayes whole.bayes
ilk train -q --slim --format lines "$EXAMPLES/messages.tsv" -o slim.bayes
fails ilk merge -o new.bayes text.bayes slim.bayes
fails ilk merge -o new.bayes text.bayes nowhere.bayes
fails ilk merge text.bayes text.bayes
fails ilk merge -o new.bayes
