# SPDX-License-Identifier: Apache-2.0
#
# CS229 2018, problem set 2, messages: the reference's predictions, accuracy and five most telling words.
. "$TESTS/cli/common.bash"
dir=$("$TESTS/data.sh" cs229_2018) || exit 77
run ilk train --format lines --model multinomial --tokens whitespace --min-docs 5 "$dir/PS2/ds6_train.tsv" -o sms.bayes
run ilk eval --format lines sms.bayes "$dir/PS2/ds6_test.tsv"
ilk eval --format lines --json sms.bayes "$dir/PS2/ds6_test.tsv" | grep -o '"accuracy":[0-9.]*'
run ilk inspect --words 5 sms.bayes
ilk predict --format lines sms.bayes "$dir/PS2/ds6_test.tsv" | tail -n +2 | cut -d, -f1 |
    sed 's/spam/1/; s/ham/0/' >labels
sed 's/\..*//' "$dir/reference_outputs/PS2_p06_naive_bayes_predictions" >expected
cmp labels expected && echo "the reference's predictions"
