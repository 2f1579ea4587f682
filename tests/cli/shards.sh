# SPDX-License-Identifier: Apache-2.0
#
# Any split into shards, merged, is one training: also where a shard by itself makes no model.
. "$TESTS/cli/common.bash"
text=(--format lines)
ilk train -q "${text[@]}" "$EXAMPLES/messages.tsv" -o whole.bayes

echo "# A file per class: there is no model to begin with."
cut -f 1 "$EXAMPLES/messages.tsv" | sort -u >classes
like=()
while read -r class; do
    awk -F '\t' -v class="$class" '$1 == class' "$EXAMPLES/messages.tsv" >$class.tsv
    fails ilk train "${text[@]}" $class.tsv -o $class.bayes
    run ilk train -q ${like[@]-${text[@]} --stats-only} $class.tsv -o $class.bayes
    like=(${text[@]} --like $class.bayes)
done <classes
run ilk merge -q -o merged.bayes $(sed 's/$/.bayes/' classes)
cmp merged.bayes whole.bayes && echo same bytes
run ilk merge -q -o merged.bayes $(sort -r classes | sed 's/$/.bayes/')
cmp merged.bayes whole.bayes && echo same bytes
first=$(head -n 1 classes)

echo "# What is said."
run ilk train "${text[@]}" --like whole.bayes $first.tsv -o part.bayes 2>&1 | grep -v rows/s
run ilk train -q "${text[@]}" --like whole.bayes --json $first.tsv -o part.bayes | sed 's/"seconds":[^,]*/"seconds":-/'
run ilk train "${text[@]}" --stats-only $first.tsv -o other.bayes 2>&1 | grep -v rows/s
cmp part.bayes other.bayes && echo same bytes

echo "# Merged with its like it is still none; then it is, by another shard or by more rows."
run ilk merge -o twice.bayes part.bayes part.bayes
run ilk merge -q -o once.bayes $(grep -v "^$first$" classes | sed 's/$/.bayes/') twice.bayes
run ilk forget -q once.bayes --shard part.bayes
cmp once.bayes whole.bayes && echo same bytes
run ilk update -q part.bayes $(grep -v "^$first$" classes | sed 's/$/.tsv/')
cmp part.bayes whole.bayes && echo same bytes

echo "# No model to ask."
for command in "predict other.bayes $first.tsv" "eval other.bayes $first.tsv" "explain other.bayes $first.tsv" \
    "inspect other.bayes" "sample other.bayes" "export --to json other.bayes" "estimate other.bayes -o new.bayes" \
    "update other.bayes $first.tsv"; do
    fails ilk $command
done
fails ilk train "${text[@]}" --stats-only --slim $first.tsv -o new.bayes
fails ilk train "${text[@]}" --stats-only --smooth loo $first.tsv -o new.bayes
fails ilk train "${text[@]}" --like whole.bayes --slim $first.tsv -o new.bayes
fails ilk train "${text[@]}" --like whole.bayes --smooth loo $first.tsv -o new.bayes
>empty.tsv
fails ilk train "${text[@]}" --like whole.bayes empty.tsv -o new.bayes

echo "# The options of the first are those of the model, of all of its parts."
options=(--smooth 0.25 --prior ham=0.75 --vocab 20)
ilk train -q "${text[@]}" "${options[@]}" "$EXAMPLES/messages.tsv" -o whole.bayes
for class in $(cat classes); do ilk train -q "${text[@]}" --like whole.bayes "${options[@]}" $class.tsv -o $class.bayes; done
run ilk merge -q -o merged.bayes $(sed 's/$/.bayes/' classes)
cmp merged.bayes whole.bayes && echo same bytes

echo "# Texts without a word, and any split at all, in shards of few lines: 40 splits."
{ cat "$EXAMPLES/messages.tsv"; printf 'ham\t...\nspam\t!!!\nham\t\nspam\t? ?\n'; } >texts.tsv
ilk train -q "${text[@]}" texts.tsv -o whole.bayes
printf 'ham\t...\nspam\t!!!\n' >silent.tsv
run ilk train "${text[@]}" --like whole.bayes silent.tsv -o silent.bayes 2>&1 | grep model
for seed in {1..40}; do
    rm -f shard.*
    awk -v seed=$seed 'BEGIN { srand(seed); n = 2 + int(9 * rand()) } { print > "shard." int(n * rand()) }' texts.tsv
    for shard in shard.*; do ilk train -q "${text[@]}" --like whole.bayes $shard -o $shard.bayes; done
    ilk merge -q -o merged.bayes $(ls shard.*.bayes | shuf --random-source=<(yes $seed))
    cmp merged.bayes whole.bayes || echo "seed $seed"
done
echo done

echo "# Numbers: shards in which nothing varies, or which have fewer rows than columns."
awk 'BEGIN { srand(7); OFS = ","; print "a,b,c,y"
    for (i = 0; i < 60; i++) { k = i % 3; print rand() + k, rand() - k, rand() * (1 + k), "k" k } }' >numbers.csv
for model in gda qda; do
    ilk train -q --model $model numbers.csv -o whole.bayes
    parts=()
    for part in {0..14}; do # four rows each
        awk -v part=$part 'NR == 1 || int((NR - 2) / 4) == part' numbers.csv >part.csv
        ilk train -q --like whole.bayes part.csv -o part$part.bayes
        parts+=(part$part.bayes)
    done
    fails ilk inspect part0.bayes
    run ilk merge -q -o merged.bayes "${parts[@]}"
    for file in whole merged; do ilk predict --joint $file.bayes numbers.csv >$file.csv; done
    near whole.csv merged.csv && echo the same joints
done
