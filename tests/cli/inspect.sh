# SPDX-License-Identifier: Apache-2.0
#
# What a model holds, in three forms, for each kind of model.
. "$TESTS/cli/common.bash"
needs jq
printf 'x,z,shape,y\n1,2,round,a\n2,4.5,round,a\n3,5.5,long,a\n7,1,long,b\n8,3,long,b\n10,3.5,round,b\n' >data.csv
for model in nb gda qda; do
    run ilk train -q --model $model --family shape=categorical data.csv -o $model.bayes
    run ilk inspect $model.bayes
done 2>&1
run ilk inspect --csv gda.bayes | rounded
run ilk inspect --json gda.bayes >gda.json
tail -n +2 gda.json | jq -c '.classes, .columns[], .options, (.facts | length), .words'

run ilk train -q --format lines "$EXAMPLES/messages.tsv" -o spam.bayes
run ilk inspect --words 5 spam.bayes
ilk inspect --words 5 gda.bayes 2>&1
echo "exit $?"
needs iconv
iconv -f UTF-8 -t GB18030 "$EXAMPLES/messages.tsv" >messages.gb
run ilk train -q --ngrams 1-2 --keep-case --log-counts --unit-length --encoding gb18030 --format lines messages.gb \
    -o terms.bayes
ilk inspect terms.bayes | grep '^tokens\|^encoding'
ilk inspect --json terms.bayes | jq -c '.encoding, .columns[].tokens'
run ilk inspect --csv spam.bayes | head -n 4 | rounded
ilk inspect --json --words 2 spam.bayes | jq -c '.words' | rounded
fails ilk inspect --csv --json spam.bayes

# The telling words of families without p(word|class), too; of two classes they are those of multinomial.
printf 'ham\tsee you at lunch\nham\tlunch at noon\nspam\tclaim your prize\nspam\tprize to claim\n' >mail.txt
for model in multinomial complement one-vs-rest; do
    ilk train -q --format lines --model $model mail.txt -o $model.bayes
    ilk inspect --words 3 $model.bayes | sed -n '/^words/,/^$/p' >$model.words
    ilk inspect --json --words 3 $model.bayes | jq -c '[.words[] | .class, (.words | length)]'
done
cat complement.words
cmp multinomial.words complement.words && cmp multinomial.words one-vs-rest.words && echo 'the same words'
