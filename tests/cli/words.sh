# SPDX-License-Identifier: Apache-2.0
#
# Which words count: stop lists, fixed dictionaries, a limit, and what becomes of words that were never seen.
. "$TESTS/cli/common.bash"
train() { ilk train -q --loo none --format lines "$@"; }
phi() { ilk inspect --csv "$1" | grep '^phi' | cut -d, -f4,5,7,8; }

# The course's example: a word of the dictionary that no mail has.
printf '1\tbuy price\n1\tbuy\n1\tprice now\n0\thello\n0\thello now\n' >mail.tsv
printf '\357\273\277buy\nHELLO\r\n\n  neurips\nnow\nprice\n' >dictionary.txt
train --model bernoulli --dictionary dictionary.txt --smooth 0 mail.tsv -o mle.bayes
train --model bernoulli --dictionary dictionary.txt mail.tsv -o laplace.bayes
phi mle.bayes | grep neurips
phi laplace.bayes | grep neurips
printf '?\tbuy neurips\n' >new.tsv
run ilk predict --posterior --format lines mle.bayes new.tsv 2>&1
run ilk predict --posterior --format lines laplace.bayes new.tsv | rounded

echo 'stopped words are not there, and others are unseen, in every way of handling these'
printf 'Now\nthe\na\n' >stop.txt
printf '?\tthe buy now\n?\tthe buy now indeed indeed\n' >asked.tsv
for model in multinomial bernoulli complement; do
    for unseen in ignore unknown error; do
        for weight in '' --unit-length; do
            [ $model$weight != bernoulli--unit-length ] || continue
            echo "$model $unseen $weight"
            train --model $model --unseen $unseen $weight --stop stop.txt mail.tsv -o stop.bayes
            while read -r line; do
                ilk predict --posterior --format lines stop.bayes - <<<"$line" 2>&1 | tail -n 1 | rounded
            done <asked.tsv
            ilk eval --format lines stop.bayes mail.tsv 2>&1 | grep -i accuracy
            head -n 1 asked.tsv | ilk explain --format lines stop.bayes - 2>&1 | grep -c now
            tail -n 1 asked.tsv | ilk explain --format lines stop.bayes - 2>&1 | grep -c 'indeed\|unseen'
        done
    done
done

echo 'what is listed stays with the model'
train --stop stop.txt --dictionary <(grep -v now dictionary.txt) mail.tsv -o both.bayes
ilk inspect both.bayes | grep '^tokens'
for show in 'inspect --json' 'export --to json'; do
    ilk $show both.bayes | grep -o '"stop_words":[0-9]*,"dictionary":[0-9]*'
done
for part in 0 1; do awk -v part=$part 'NR % 2 == part' mail.tsv >mail$part.tsv; done
for list in '--stop stop.txt' '--dictionary dictionary.txt' '--dictionary dictionary.txt --unit-length'; do
    echo "$list"
    train $list mail.tsv -o whole.bayes
    train $list --threads 3 mail.tsv -o threads.bayes
    for part in 0 1; do train $list mail$part.tsv -o $part.bayes; done
    ilk merge -q -o merged.bayes 0.bayes 1.bayes
    cmp merged.bayes whole.bayes && cmp threads.bayes whole.bayes && echo same bytes
    ilk update -q 0.bayes --format lines mail1.tsv && cmp 0.bayes whole.bayes && echo same bytes when updated
    ilk forget -q 0.bayes --format lines mail0.tsv && cmp 0.bayes 1.bayes && echo same bytes when forgotten
    train --like whole.bayes mail.tsv -o like.bayes && cmp like.bayes whole.bayes && echo same bytes of one like it
    ilk estimate -q --smooth 0.5 whole.bayes -o half.bayes
    train $list --smooth 0.5 mail.tsv -o again.bayes && cmp half.bayes again.bayes &&
        echo same bytes when estimated anew
done
fails ilk train --like whole.bayes --stop stop.txt --format lines mail.tsv -o no.bayes
fails ilk train --like whole.bayes --unit-length --format lines mail.tsv -o no.bayes
train mail.tsv -o plain.bayes
train --stop stop.txt mail.tsv -o stop.bayes
fails ilk merge -o no.bayes plain.bayes stop.bayes
fails ilk merge -o no.bayes plain.bayes whole.bayes

echo 'terms of several words, Chinese, characters, counts'
printf '1\tnew york city\n0\tyork new\n' >york.tsv
printf 'new york\ncity\n' >york.txt
train --ngrams 1-2 --dictionary york.txt york.tsv -o york.bayes && phi york.bayes
fails ilk train --format lines --dictionary york.txt york.tsv -o no.bayes
printf '1\t免费领奖\n0\t开会通知\n' >zh.tsv
printf '免费\n会\n' >zh.txt
train --dictionary zh.txt zh.tsv -o zh.bayes && phi zh.bayes
printf '领奖金\n' >zh.txt
fails ilk train --format lines --dictionary zh.txt zh.tsv -o no.bayes
fails ilk train --format lines --ngrams 3-3 zh.tsv -o no.bayes
fails ilk train --format lines --ngrams 4-5 york.tsv -o no.bayes
fails ilk train --format lines --min-docs 3 york.tsv -o no.bayes
train --tokens pieces --ngrams 3-3 zh.tsv -o zh.bayes && phi zh.bayes
printf '1\tA:2 b:1\n0\tb:3\n' >counts.tsv
printf 'A\n' >counts.txt
train --tokens counts --stop counts.txt counts.tsv -o counts.bayes && phi counts.bayes
for text in 'a:1 good' ':1' 'good:' 'good:x' 'good:-1' 'a:4294967295 good:1'; do
    printf '1\tA:2 b:1\n0\t%s\n' "$text" >no.tsv
    fails ilk train --format lines --tokens counts no.tsv -o no.bayes
done

echo 'lists that are none'
printf 'fine\na b\n' >several.txt
printf 'fine\n!\n' >empty_word.txt
printf 'fine\n\n\377\n' >bytes.txt
printf '\n' >nothing.txt
printf 'buy\n' >both.txt
fails ilk train --format lines --stop several.txt --tokens whitespace mail.tsv -o no.bayes
fails ilk train --format lines --dictionary empty_word.txt mail.tsv -o no.bayes
fails ilk train --format lines --dictionary bytes.txt mail.tsv -o no.bayes
fails ilk train --format lines --dictionary nothing.txt mail.tsv -o no.bayes
fails ilk train --format lines --dictionary absent.txt mail.tsv -o no.bayes
printf 'fine\nbuy\n' >words.txt
fails ilk train --format lines --stop words.txt --ngrams 2-2 mail.tsv -o no.bayes
fails ilk train --format lines --dictionary words.txt --ngrams 2-2 mail.tsv -o no.bayes
fails ilk train --format lines --dictionary dictionary.txt --stop both.txt mail.tsv -o no.bayes
printf 'x,k\n1.5,a\n2.5,b\n1.25,a\n' >numbers.csv
fails ilk train --stop stop.txt numbers.csv -o no.bayes

echo 'a limit'
train --max-words 4 mail.tsv -o limit.bayes && cmp limit.bayes plain.bayes && echo four words
fails ilk train -q --format lines --max-words 3 mail.tsv -o no.bayes
fails ilk train -q --format lines --max-words 3 --threads 4 mail.tsv -o no.bayes
cp plain.bayes grown.bayes
printf '1\tbuy more\n' >more.tsv
fails ilk update -q --max-words 4 grown.bayes --format lines more.tsv
cmp grown.bayes plain.bayes && echo as it was
run ilk update -q --max-words 5 grown.bayes --format lines more.tsv
# Several blocks in several threads: the row is the same.
awk 'BEGIN { for (i = 1; i <= 120000; i++)
    printf "%d\tcommon words and rare%d to fill the blocks\n", i % 2, int(i / 10) }' >many.tsv
fails ilk train -q --format lines --max-words 11000 --threads 1 many.tsv -o no.bayes
fails ilk train -q --format lines --max-words 11000 --threads 3 many.tsv -o no.bayes
