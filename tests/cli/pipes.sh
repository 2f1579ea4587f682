# SPDX-License-Identifier: Apache-2.0
#
# Pipes: a reader that leaves is no failure; standard input trains and predicts.
. "$TESTS/cli/common.bash"
data=$EXAMPLES/playtennis.csv
ilk train -q --target PlayTennis "$data" -o m.bayes
{ head -n 1 "$data"; for i in {1..300}; do tail -n +2 "$data"; done; } >long.csv
for command in "predict m.bayes long.csv" "explain m.bayes long.csv" "explain --json m.bayes long.csv"; do
    ilk $command | head -n 1 >/dev/null
    echo "$command: ${PIPESTATUS[0]}"
done
ilk train -q --target PlayTennis - -o piped.bayes <"$data"
cmp m.bayes piped.bayes && echo same bytes
cat "$data" | ilk train -q --target PlayTennis -o piped.bayes -
cmp m.bayes piped.bayes && echo same bytes

# The last line may lack its newline.
printf %s "$(cat "$EXAMPLES/playtennis-new.csv")" | ilk predict m.bayes - | rounded
