# SPDX-License-Identifier: Apache-2.0
#
# Any split into shards, merged, is one training: also where a shard by itself makes no model.
. "$TESTS/cli/common.bash"
text=(--format lines)
ilk train -q "${text[@]}" "$EXAMPLES/messages.tsv" -o whole.bayes

echo "# A file per class: there is no model to begin with."
cut -f 1 "$EXAMPLES/messages.tsv" | sort -u >classes
for class in $(cat classes); do
    awk -F '\t' -v class="$class" '$1 == class' "$EXAMPLES/messages.tsv" >$class.tsv
    fails ilk train "${text[@]}" $class.tsv -o $class.bayes
done
run ilk train -q "${text[@]}" --stats-only ham.tsv -o ham.bayes
run ilk train -q "${text[@]}" --like ham.bayes spam.tsv -o spam.bayes 2>&1
run ilk train -q "${text[@]}" --like <(cat ham.bayes) spam.tsv -o piped.bayes 2>&1 | sed 's|/dev/fd/[0-9]*|PIPE|'
cmp spam.bayes piped.bayes && echo same bytes
run ilk merge -q -o merged.bayes $(sed 's/$/.bayes/' classes)
cmp merged.bayes whole.bayes && echo same bytes
run ilk merge -q -o merged.bayes $(sort -r classes | sed 's/$/.bayes/')
cmp merged.bayes whole.bayes && echo same bytes
first=$(head -n 1 classes)

echo "# What is said."
run ilk train "${text[@]}" --like whole.bayes $first.tsv -o part.bayes 2>&1 | grep -v rows/s
run ilk train -q "${text[@]}" --like whole.bayes --stats-only --json $first.tsv -o part.bayes | sed 's/"seconds":[^,]*/"seconds":-/'
run ilk train "${text[@]}" --stats-only $first.tsv -o other.bayes 2>&1 | grep -v rows/s
cmp part.bayes other.bayes && echo same bytes

echo "# Merged with its like it is still none; then it is, by another shard or by more rows."
run ilk merge -o twice.bayes part.bayes part.bayes 2>&1
run ilk merge -q -o twice.bayes part.bayes part.bayes 2>&1
run ilk merge -q -o once.bayes $(grep -v "^$first$" classes | sed 's/$/.bayes/') twice.bayes
run ilk forget -q once.bayes --shard part.bayes
cmp once.bayes whole.bayes && echo same bytes
cp part.bayes before.bayes
head -n 20 $first.tsv >few.tsv
run ilk update part.bayes few.tsv 2>&1 | grep -v rows/s
run ilk forget part.bayes few.tsv 2>&1
cmp part.bayes before.bayes && echo same bytes
fails ilk forget part.bayes $first.tsv
cmp part.bayes before.bayes && echo same bytes
run ilk update -q part.bayes $(grep -v "^$first$" classes | sed 's/$/.tsv/')
cmp part.bayes whole.bayes && echo same bytes

echo "# No model to ask."
for command in "predict other.bayes $first.tsv" "eval other.bayes $first.tsv" "explain other.bayes $first.tsv" \
    "inspect other.bayes" "sample other.bayes" "export --to json other.bayes" "estimate other.bayes -o new.bayes"; do
    fails ilk $command
done
fails ilk train "${text[@]}" --stats-only --slim $first.tsv -o new.bayes
fails ilk train "${text[@]}" --stats-only --smooth loo $first.tsv -o new.bayes
fails ilk train "${text[@]}" --stats-only --loo all - -o new.bayes <$first.tsv
fails ilk train "${text[@]}" --like whole.bayes --slim $first.tsv -o new.bayes
fails ilk train "${text[@]}" --like whole.bayes --smooth loo $first.tsv -o new.bayes
>empty.tsv
fails ilk train "${text[@]}" --like whole.bayes empty.tsv -o new.bayes
printf '\tno label\n\tnone\n' >unlabelled.tsv
fails ilk train "${text[@]}" --stats-only unlabelled.tsv -o new.bayes
fails ilk merge ham.bayes ham.bayes -o /dev/full

echo "# Of two readings the second does not come; that is told."
ilk train --progress json "${text[@]}" --like whole.bayes --loo all $first.tsv -o new.bayes 2>&1 | grep '^{' |
    sed 's/"rows.*"done"/"done"/'

echo "# The options of the first are those of the model, of all of its parts."
options=(--smooth 0.25 --prior ham=0.75 --vocab 20)
ilk train -q "${text[@]}" "${options[@]}" "$EXAMPLES/messages.tsv" -o whole.bayes
for class in $(cat classes); do
    ilk train -q "${text[@]}" --like whole.bayes --stats-only "${options[@]}" $class.tsv -o $class.bayes
done
run ilk merge -q -o merged.bayes $(sed 's/$/.bayes/' classes)
cmp merged.bayes whole.bayes && echo same bytes

echo "# A prior for a class that is still to come: three classes, step by step, in whatever order priors were given."
{ cat "$EXAMPLES/messages.tsv"; sed -n '1,40s/^[a-z]*/eggs/p' "$EXAMPLES/messages.tsv"; } >three.tsv
ilk train -q "${text[@]}" --prior ham=0.5,spam=0.2,eggs=0.3 three.tsv -o whole.bayes
for class in ham spam eggs; do
    grep "^$class" three.tsv >$class.tsv
    ilk train -q "${text[@]}" --like whole.bayes --stats-only --prior ham=0.5,spam=0.2,eggs=0.3 $class.tsv -o $class.bayes
done
ilk train -q "${text[@]}" --like whole.bayes --stats-only --prior eggs=0.3,ham=0.5,spam=0.2 ham.tsv -o other.bayes
cmp ham.bayes other.bayes && echo same bytes
run ilk merge -q ham.bayes spam.bayes -o two.bayes 2>&1
run ilk merge -q two.bayes eggs.bayes -o merged.bayes
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
        ilk train -q --like whole.bayes part.csv -o part$part.bayes 2>>said
        parts+=(part$part.bayes)
    done
    cut -d: -f3 said | sort | uniq -c
    rm said
    fails ilk inspect part0.bayes
    run ilk merge -q -o merged.bayes "${parts[@]}"
    for file in whole merged; do ilk predict --joint $file.bayes numbers.csv >$file.csv; done
    near whole.csv merged.csv && echo the same joints
done

echo "# Nominal columns are what they are declared to be, though the first shard has no value of one."
printf '@relation r\n@attribute a {u,v}\n@attribute b {s,t}\n@attribute y {p,q}\n@data\n' >head
printf 'u,?,p\nv,?,p\n' >p
printf 'u,s,q\nv,t,q\n' >q
cat head p >p.arff
cat head q >q.arff
cat head p q >all.arff
run ilk train -q --stats-only p.arff -o p.bayes
run ilk train -q --stats-only --like p.bayes q.arff -o q.bayes
run ilk merge -q p.bayes q.bayes -o merged.bayes
run ilk train -q all.arff -o whole.bayes
cmp merged.bayes whole.bayes && echo same bytes

echo "# So are numbers that are declared; and of JSON lines a shard need not name what it has no value of."
sed -i 's/@attribute b {s,t}/@attribute b numeric/' head
printf 'u,1.5,q\nv,2.5,q\n' >q
for part in p q; do cat head $part >$part.arff; done
run ilk train -q --stats-only p.arff -o p.bayes
run ilk train -q --stats-only --like p.bayes q.arff -o q.bayes
run ilk merge -q p.bayes q.bayes -o merged.bayes
run ilk inspect --csv merged.bayes | grep '^mean,\|^mu,' | grep -c ',b,'
printf '{"c":"red","s":"S","y":"a"}\n{"c":"blue","s":"M","y":"a"}\n' >a.jsonl
printf '{"s":"S","y":"b"}\n{"s":"L","y":"b"}\n' >b.jsonl
cat a.jsonl b.jsonl >all.jsonl
run ilk train -q --target y --stats-only a.jsonl -o a.bayes
run ilk train -q --stats-only --like a.bayes b.jsonl -o b.bayes
run ilk merge -q a.bayes b.bayes -o merged.bayes
run ilk train -q --target y all.jsonl -o whole.bayes
cmp merged.bayes whole.bayes && echo same bytes
run ilk predict whole.bayes b.jsonl | cut -d, -f1
sed 's/"s"/"c0"/' b.jsonl >slip.jsonl
fails ilk predict whole.bayes slip.jsonl
