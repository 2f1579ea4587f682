# SPDX-License-Identifier: Apache-2.0
#
# --smooth loo and --shrink loo choose a number that is then as good as any other: stored, reported, the same for any
# number of threads. --loo all reads every row again.
. "$TESTS/cli/common.bash"
needs jq
data=$EXAMPLES/playtennis.csv
train() { ilk train --target PlayTennis --ignore Day --model categorical "$@"; }
run train --smooth loo "$data" -o chosen.bayes 2>&1
alpha=$(train -q --json --smooth loo "$data" -o again.bayes | jq .chosen.smooth)
cmp chosen.bayes again.bayes
train -q --smooth "$alpha" "$data" -o given.bayes
cmp chosen.bayes given.bayes && echo "the model is that of --smooth $alpha"
cat "$data" | train -q --smooth loo - -o piped.bayes
cmp chosen.bayes piped.bayes && echo also from a pipe
loss() { train -q --json --smooth "$1" "$data" -o m.bayes | jq .loo.log_loss; }
for other in 0.0001 0.01 0.1 0.3 1 3 4.3 5.1 10 30 100; do
    jq -en "$(loss loo) <= $(loss $other)" >/dev/null || echo "$other is better"
done
run train --smooth loo-accuracy "$data" -o m.bayes 2>&1 | grep chosen
right() { train -q --json --smooth "$1" "$data" -o m.bayes | jq .loo.accuracy; }
for other in 0.0001 0.01 0.1 0.3 1 3 4.3 5.1 10 30 100; do
    jq -en "$(right loo-accuracy) >= $(right $other)" >/dev/null || echo "$other is better"
done

# Numbers that hang together, a category and words, in more rows than the sample has.
awk 'BEGIN {
    print "x,z,colour,note,class"
    s = 5
    for (i = 0; i < 12000; i++) {
        for (j = 0; j < 6; j++) { s = (s * 16807) % 2147483647; u[j] = s / 2147483647 }
        c = u[0] < .3
        printf "%.5g,%.5g,%s,in the w%d of w%d there was w%d,%s\n", u[1] + u[2] + c / 2, u[1] - c / 3,
            substr("rgbkc", 1 + int(u[3] * (3 + 2 * c)), 1), u[4] * 300, u[5] * u[5] * 30, u[4] * u[5] * (40 + 9 * c),
            c ? "yes" : "no"
    }
}' >large.csv
head -n 61 large.csv >small.csv
both() { ilk train --model gda --smooth loo --shrink loo "$@"; }
run both small.csv -o both.bayes 2>&1
run both -q --json small.csv -o both.bayes | valid
for threads in 1 2 8; do both -q --threads $threads large.csv -o $threads.bayes; done
cmp 1.bayes 2.bayes && cmp 1.bayes 8.bayes && echo the same for any threads
ilk inspect --json 1.bayes | jq -c '[.options.smooth, .options.shrink]'
ilk train -q --model gda large.csv -o plain.bayes
ilk estimate -q plain.bayes --smooth "$(ilk inspect --json 1.bayes | jq .options.smooth)" \
    --shrink "$(ilk inspect --json 1.bayes | jq .options.shrink)" -o again.bayes
cmp 1.bayes again.bayes && echo estimate with these numbers
# Nothing depends on it.
ilk train -q --ignore colour,note --smooth loo small.csv -o m.bayes
ilk inspect --json m.bayes | jq -c '[.options.smooth, .options.shrink]'

# Every row.
run ilk train --loo all large.csv -o all.bayes 2>&1
ilk train -q large.csv -o auto.bayes
cmp all.bayes auto.bayes
figures() { ilk train -q --json "$@" -o m.bayes | jq -c .loo; }
for threads in 1 2 8; do figures --loo all --threads $threads large.csv; done | uniq -c | rounded
[ "$(figures small.csv)" = "$(figures --loo all small.csv)" ] && echo all is auto where rows are few
split -l 6001 large.csv part && mv partaa a.csv && (head -n 1 large.csv && cat partab) >b.csv
[ "$(figures --loo all large.csv | rounded)" = "$(figures --loo all a.csv b.csv | rounded)" ] && echo in two files
run ilk update --loo all m.bayes small.csv 2>&1 | grep leave
ilk train -q --loo all small.csv -o m.bayes && echo quietly

fails ilk train --smooth loo --loo none small.csv -o none.bayes
fails ilk train --shrink loo-accuracy --loo none small.csv -o none.bayes
fails ilk train --loo all - -o none.bayes <small.csv
fails ilk train --loo all small.csv /dev/null -o none.bayes
fails ilk train --loo all absent.csv -o none.bayes
fails ilk train --smooth leave small.csv -o none.bayes
fails ilk train --shrink leave small.csv -o none.bayes
fails ilk train --prior maybe=0.5 --smooth loo small.csv -o none.bayes
