# SPDX-License-Identifier: Apache-2.0
#
# A column of weights: rows count as much as it says, and a weight that is none is a bad row.
. "$TESTS/cli/common.bash"
data=$EXAMPLES/playtennis.csv
awk -F, -v OFS=, 'NR == 1 { print $0, "times"; next } { print $0, NR % 3 }' "$data" >weighed.csv
awk -F, -v OFS=, 'NR == 1 { print; next } { for (i = 0; i < NR % 3; i++) print }' "$data" >repeated.csv
run ilk train --weights times --target PlayTennis --ignore Day weighed.csv -o weighed.bayes 2>&1
run ilk train --target PlayTennis --ignore Day repeated.csv -o repeated.bayes 2>&1
cmp <(ilk inspect --csv weighed.bayes) <(ilk inspect --csv repeated.bayes) && echo a weight of 2 is a row twice
run ilk predict weighed.bayes "$EXAMPLES/playtennis-new.csv" | rounded
cmp <(ilk predict weighed.bayes weighed.csv) <(ilk predict weighed.bayes "$data") &&
    echo no weights are needed to predict
if command -v jq >/dev/null; then ilk inspect --json weighed.bayes | jq -c '.columns[] | select(.name == "times")'; fi
run ilk merge -o merged.bayes weighed.bayes weighed.bayes 2>&1
fails ilk merge -o new.bayes weighed.bayes repeated.bayes

# The last column is the target, unless it is the weight.
printf 'x,y,w\n1.5,a,1.5\n2,a,0.25\n4,a,2\n3,b,1\n4.5,b,0\n5,b,2.125\n6,b,1\n' >last.csv
run ilk train --weights w last.csv -o last.bayes 2>&1
run ilk train --weights 3 -q last.csv -o index.bayes
cmp last.bayes index.bayes && echo by name or index
for weight in '' NA -1 heavy 1e999; do
    sed "3s/0.25/$weight/" last.csv >bad.csv
    fails ilk train -q --weights w bad.csv -o none.bayes
done
run ilk train --weights w --bad-rows skip bad.csv -o m.bayes 2>&1
fails ilk train --weights y last.csv -o none.bayes
fails ilk train --weights w --target w last.csv -o none.bayes
fails ilk train --weights w --ignore w last.csv -o none.bayes
fails ilk train --weights height last.csv -o none.bayes
