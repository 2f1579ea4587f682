# SPDX-License-Identifier: Apache-2.0
#
# Leave-one-out in the report of train: exact, on a sample, on a pipe, and the same for any number of threads.
. "$TESTS/cli/common.bash"
data=$EXAMPLES/playtennis.csv
train() { ilk train --target PlayTennis --ignore Day --model categorical "$@"; }
run train "$data" -o m.bayes 2>&1
run train --json -q "$data" -o m.bayes | valid
run train --json -q --loo none "$data" -o n.bayes
cmp m.bayes n.bayes && echo the model is the same
run train --loo none "$data" -o n.bayes 2>&1
run train --json -q --smooth 0 "$data" -o n.bayes | valid

# By hand: fourteen trainings without a day, and the answer for it.
right=0
for day in {2..15}; do
    sed "${day}d" "$data" >others.csv
    sed -n "1p;${day}p" "$data" >day.csv
    train -q others.csv -o others.bayes
    predicted=$(ilk predict --keep PlayTennis others.bayes day.csv | tail -n 1 | cut -d, -f1,2)
    [ "${predicted%,*}" = "${predicted#*,}" ] && right=$((right + 1))
done
echo "$right of 14"

# More rows than the sample has.
awk 'BEGIN {
    print "x,colour,weight,class"
    s = 1
    for (i = 0; i < 30000; i++) {
        for (j = 0; j < 4; j++) { s = (s * 16807) % 2147483647; u[j] = s / 2147483647 }
        c = u[0] < .4
        printf "%.9g,%s,%.3g,%s\n", u[1] + c / 2, substr("rgbk", 1 + int(u[2] * (3 + c)), 1), u[3] * 2, c ? "yes" : "no"
    }
}' >data.csv
for weights in "--ignore weight" "--weights weight"; do
    for threads in 1 2 8; do ilk train -q --json --threads $threads $weights data.csv -o $threads.bayes; done |
        sed 's/"seconds":[^,]*,//' | uniq -c | rounded
    for threads in 2 8; do cmp 1.bayes $threads.bayes; done
    cat data.csv | ilk train --seed 0 $weights - -o piped.bayes 2>&1
    cmp 1.bayes piped.bayes
done
ilk train --seed 1 --ignore weight data.csv -o m.bayes 2>&1 | grep leave
cmp m.bayes piped.bayes >/dev/null || echo weights matter

# Rows of a megabyte: those that fit.
word=$(head -c 1000000 /dev/zero | tr '\0' x)
for i in {1..50}; do printf 'a\tw%d %s\nb\tv%d %s\n' $((i % 7)) "$word" $((i % 5)) "$word"; done >large.tsv
ilk train --format lines large.tsv -o m.bayes 2>&1 | grep leave
fails ilk train --loo some "$data" -o none.bayes
fails ilk train --seed x "$data" -o none.bayes
