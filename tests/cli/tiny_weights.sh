# SPDX-License-Identifier: Apache-2.0
#
# Weights may be in any unit: a thousand rows that weigh 1 together have a scatter, and it outlives forgetting.
. "$TESTS/cli/common.bash"
awk 'BEGIN {
    for (i = 0; i < 400; i++) {
        if (i % 300 == 0) print "x,z,w,k" > (i ? "more.csv" : "some.csv")
        k = i % 2
        printf "%.4f,%.4f,0.001,%s\n", sin(i * i) + k, cos(3 * i * i) - k, k ? "p" : "q" > (i < 300 ? "some.csv" : "more.csv")
    }
}'
for model in nb gda qda; do
    echo "$model"
    ilk train -q --weights w --model $model some.csv -o m.bayes
    ilk inspect --csv m.bayes | grep -E '^(variance|Sigma)' | cut -d, -f 1-6 | sort >before
    ilk update -q m.bayes more.csv
    ilk forget -q m.bayes more.csv
    ilk inspect --csv m.bayes | grep -E '^(variance|Sigma)' | cut -d, -f 1-6 | sort >after
    wc -l <before
    diff <(rounded <before) <(rounded <after) && echo same variances
done
# Less is taken off than there is.
fails ilk train -q --weights w --divisor n-1 some.csv -o no.bayes
fails ilk train -q --weights w --model gda --divisor n-k some.csv -o no.bayes
