# SPDX-License-Identifier: Apache-2.0
#
# The same bytes for 1, 2 and 8 threads, for all models, on enough rows for many blocks.
. "$TESTS/cli/common.bash"
# Numbers from a linear congruence: no seed of a library decides what this file holds.
awk 'BEGIN {
    print "x1,x2,x3,n,colour,text,class"
    s = 1
    for (i = 0; i < 40000; i++) {
        for (j = 0; j < 6; j++) { s = (s * 16807) % 2147483647; u[j] = s / 2147483647 }
        c = u[0] < .4
        text = ""
        for (j = 0; j < 8; j++) { s = (s * 16807) % 2147483647; text = text " w" int((s / 2147483647) ^ (2 + c) * 900) }
        printf "%.17g,%.9g,%.6g,%d,%s,%s,%s\n", u[1] + c, u[2] * 1e6 - c, u[3] * u[4] + c / 3, 20 * u[4] + c,
            substr("rgbk", 1 + int(u[5] * (3 + c)), 1), substr(text, 2), c ? "yes" : "no"
    }
}' >data.csv
head -n 1000 data.csv >few.csv
for model in nb gda qda poisson negative-binomial {categorical,table}" --ignore x1,x2,x3,text" multinomial bernoulli \
    complement; do
    for threads in 1 2 8; do
        ilk train -q --threads $threads --model $model --target class data.csv -o $threads.bayes
        ilk predict --threads $threads --posterior $threads.bayes data.csv >$threads.csv
        ilk eval --threads $threads --json $threads.bayes data.csv >$threads.json
        ilk explain --threads $threads --json $threads.bayes few.csv >$threads.parts
    done
    for threads in 2 8; do
        for kind in bayes csv json parts; do cmp 1.$kind $threads.$kind || echo "$model: $threads threads differ"; done
    done
    echo "$model: $(wc -l <1.csv) lines"
done
