# SPDX-License-Identifier: Apache-2.0
#
# Scores that are not log p(x|class) are not shown as joint probabilities; and counts that no row can have.
. "$TESTS/cli/common.bash"
ilk train -q --format lines --loo none --model complement "$EXAMPLES/messages.tsv" -o complement.bayes
ilk train -q --format lines --loo none --unit-length "$EXAMPLES/messages.tsv" -o weighed.bayes
for model in complement weighed; do
    fails ilk predict --joint $model.bayes "$EXAMPLES/messages-test.tsv"
    fails ilk predict --log-joint $model.bayes "$EXAMPLES/messages-test.tsv"
    ilk predict --posterior $model.bayes "$EXAMPLES/messages-test.tsv" | wc -l
done
printf '1 1:4000000000 2:294967295\n2 2:1\n' >most.svm
run ilk train -q --loo none most.svm -o most.bayes
ilk inspect --csv most.bayes | grep '^phi,[a-z]*,[a-z]*,1,1'
printf '1 1:4000000000 2:294967296\n2 2:1\n' >more.svm
fails ilk train -q more.svm -o no.bayes
printf '1 1:5000000000\n2 2:1\n' >large.svm
fails ilk train -q --model multinomial large.svm -o no.bayes
fails ilk predict --keep nothing weighed.bayes "$EXAMPLES/messages-test.tsv"
