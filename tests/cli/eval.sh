# SPDX-License-Identifier: Apache-2.0
#
# The figures of eval, on a model whose posteriors are known: p(b | x) = 1/4, 3/4 for x = l, h.
. "$TESTS/cli/common.bash"
needs jq
{
    echo x,class
    for i in 1 2 3; do echo l,a; echo h,b; done
    echo h,a
    echo l,b
} >train.csv
run ilk train -q --smooth 0 train.csv -o m.bayes
run ilk predict --posterior m.bayes - <<<$'x\nl\nh' | rounded

# Eight rows: accuracy 3/4; log-loss -(6 log 3/4 + 2 log 1/4)/8 = 0.5623; Brier (6/16 + 2*9/16)/8 = 0.1875;
# confidence is 3/4 throughout, so the calibration error is 0 but for rounding; area 9/16 + (3 + 3)/16/2 = 0.75.
run ilk eval m.bayes train.csv
run ilk eval --json m.bayes train.csv | valid

# One row has no label, one a label the model does not know: the first is skipped, the second an error.
printf 'x,class\nl,a\nh,?\nh,c\n' >odd.csv
run ilk eval m.bayes odd.csv
run ilk eval --json m.bayes odd.csv | valid

# What a row that is skipped holds is not counted either.
printf 'x,class\nl,a\nm,?\nm,b\n' >odder.csv
for command in eval predict; do
    ilk $command m.bayes odder.csv 2>&1 >/dev/null
done

# Nor does such a row have a place on a curve, as a negative of the class that happens to be the second.
for rows in 'l,c\nh,b\nh,a\nl,b' 'h,b\nh,a\nl,b' 'h,b\nl,c' 'h,a\nl,c'; do
    printf "x,class\n$rows\n" | ilk eval -q --json m.bayes - | jq -c .auc
done

# A label of probability 0: the log-loss is infinite, and not clipped.
printf 'x,class\nu,a\nv,b\nu,a\nw,b\n' >sure.csv
run ilk train -q --smooth 0 sure.csv -o sure.bayes
run ilk eval --json sure.bayes sure.csv | valid
printf 'x,class\nu,b\nv,b\nu,a\n' >wrong.csv
run ilk eval sure.bayes wrong.csv

# Rows that cannot be decided are errors.
run ilk train -q --smooth 0 --unseen unknown sure.csv -o strict.bayes
printf 'x,class\nu,a\nz,b\n' >undecided.csv
run ilk eval strict.bayes undecided.csv
run ilk eval --json strict.bayes undecided.csv | valid

# One class only in the data: no curve.
printf 'x,class\nl,a\nh,a\n' >one.csv
run ilk eval --json m.bayes one.csv | valid

# Three classes: the area is the mean of one against the rest.
printf 'x,class\np,a\np,a\np,b\nq,b\nq,b\nq,c\nr,c\nr,c\nr,a\n' >three.csv
run ilk train -q --smooth 0 three.csv -o three.bayes
run ilk eval three.bayes three.csv
run ilk eval --json three.bayes three.csv | valid

# More classes than a screen is wide.
{ echo x,class; for i in {1..13}; do echo "v$i,c$i"; done; echo v1,c2; echo v1,c2; echo v3,c4; } >many.csv
run ilk train -q many.csv --model categorical -o many.bayes
run ilk eval many.bayes many.csv

# 20,000 classes: a whole matrix would take 3.2 GB. (A build that checks addresses cannot live within a limit at all.)
awk 'BEGIN { print "x,class"; for (i = 0; i < 40000; i++) print "v" i % 7 ",c" int(i / 2) }' >classes.csv
ilk train -q --loo none classes.csv -o classes.bayes
head -n 100 classes.csv >some.csv
limited() { (ulimit -Sv 1000000; (exec 2>/dev/null; ilk --version >&2; exit $?) || ulimit -Sv "$(ulimit -Hv)"; "$@"); }
run limited ilk eval --threads 1 classes.bayes some.csv

fails ilk eval m.bayes - <<<$'x\nl'
fails ilk eval m.bayes - <<<$'x,class\nl,\nh,NA'
