# SPDX-License-Identifier: Apache-2.0
#
# Leave-one-out of train, on Fisher's irises: 150 trainings without one of them say the same.
. "$TESTS/cli/common.bash"
needs jq
dir=$("$TESTS/data.sh" sklearn_toy) || exit 77
(echo a,b,c,d,class && tail -n +2 "$dir/iris.csv") >iris.csv
for model in gda nb; do
    for i in {2..151}; do
        sed "${i}d" iris.csv >others.csv
        sed -n "1p;${i}p" iris.csv >one.csv
        ilk train -q --model $model others.csv -o others.bayes
        ilk eval -q --json others.bayes one.csv
    done | jq -s '{n: length, accuracy: (map(.accuracy) | add / length), log_loss: (map(.log_loss) | add / length)}' \
        >by_hand
    ilk train -q --json --model $model iris.csv -o iris.bayes | jq .loo >reported
    jq -sc '.[0] as $hand | .[1] | [$hand.n, .n, .accuracy, (.log_loss * 1e6 | round),
        ([.accuracy - $hand.accuracy, .log_loss - $hand.log_loss] | map(fabs) | max < 1e-10)]' by_hand reported
done
