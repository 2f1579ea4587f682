# SPDX-License-Identifier: Apache-2.0
#
# Texts without a label: predict and explain take lines without a TAB from a model of lines. Who needs labels does not,
# and what may be a table is none.
. "$TESTS/cli/common.bash"
ilk train -q --format lines "$EXAMPLES/messages.tsv" -o messages.bayes
printf 'claim your free prize\nsee you at lunch, then\n' >texts
echo 'claim your free prize' | run ilk predict messages.bayes - | rounded
run ilk predict messages.bayes texts | rounded
run ilk explain --top 1 messages.bayes texts
run ilk predict --format lines messages.bayes texts | rounded
run ilk predict -q --keep all messages.bayes - <<<$'see you\nham\tsee you,\tthen' | rounded  # some have one

# As before: by a TAB, by a header.
run ilk predict messages.bayes - <<<$'\tclaim your free prize' | rounded
run ilk predict messages.bayes - <<<$'text\nclaim your free prize' | rounded
run ilk predict --no-header messages.bayes - <<<'claim your free prize' | rounded

# A comma may divide columns, and a quote may hold one: then the message says what to do.
fails ilk predict messages.bayes - <<<'see you at lunch, then'
run ilk predict --format lines messages.bayes - <<<'see you at lunch, then' | rounded
fails ilk predict messages.bayes - <<<'"see you" at lunch'
fails ilk predict messages.bayes - <<<'"see you at lunch'
run ilk predict --format lines messages.bayes - <<<'"see you" at lunch' | rounded
fails ilk eval messages.bayes - <<<'"see you" at lunch'
fails ilk predict messages.bayes - <<<$'text\n"see you" at lunch'    # a table, by its header
fails ilk predict --header messages.bayes - <<<$'message\nclaim your free prize'
cp texts texts.csv
fails ilk predict messages.bayes texts.csv

# Labels are needed.
for command in eval update forget; do
    fails ilk $command messages.bayes texts
    fails ilk $command --format lines messages.bayes texts
done
fails ilk train --format lines texts -o new.bayes

# Every line has its answer, also one without a word.
printf 'free prize\n\n   \nsee you' | run ilk predict messages.bayes - | rounded
printf '\n\n' | run ilk predict --format lines messages.bayes - | rounded
{ echo; sleep 0.2; echo 'free prize'; } | run ilk predict messages.bayes - | rounded
printf '\n' | run ilk predict messages.bayes - | rounded

# Lines have no header: what has one is a table.
cp "$EXAMPLES/messages.tsv" .
{ printf 'label\ttext\n'; cat messages.tsv; } >headed.tsv
run ilk train -q --header headed.tsv -o headed.bayes && cmp headed.bayes messages.bayes && echo the same bytes
run ilk train -q --no-header messages.tsv -o bare.bayes && cmp bare.bayes messages.bayes && echo the same bytes
fails ilk train --format lines --header headed.tsv -o no.bayes
printf '{"a": 1.5, "class": "x"}\n' >rows.jsonl
fails ilk train --no-header rows.jsonl -o no.bayes
mkdir -p documents/a documents/b
fails ilk train --header documents -o no.bayes
