# SPDX-License-Identifier: Apache-2.0
#
# Numbers that a class does not have, and columns that never vary: learnt all the same, and said.
. "$TESTS/cli/common.bash"

cat >lab.csv <<'EOF'
height,fever,ward,class
1.62,38.5,3.25,flu
1.75,39.25,3.25,flu
1.71,40.5,3.25,flu
1.68,,3.25,well
1.81,,3.25,well
1.59,,3.25,well
1.77,37.5,3.25,cold
1.66,38,3.25,cold
1.7,37.25,3.25,cold
EOF
run ilk train lab.csv -o lab.bayes 2>&1
run ilk inspect --csv lab.bayes | grep ',fever,' | rounded
printf 'height,fever,ward\n1.7,38,3.25\n1.7,41,9\n1.7,,\n' >new.csv
run ilk predict --posterior lab.bayes new.csv | rounded

# Leaving each row out is retraining without it: also for the only value that a class has.
printf '1.8,36.5,3.25,well\n' >>lab.csv
run ilk train --json lab.csv -o one.bayes 2>&1 | grep -v '^{'
grep -v 36.5 lab.csv | ilk train -q - -o without.bayes
cmp lab.bayes without.bayes && echo 'the same without it'

# The other commands say it too.
run ilk estimate lab.bayes --smooth 2 -o again.bayes 2>&1 | grep note
run ilk merge -o again.bayes lab.bayes lab.bayes 2>&1 | grep note
printf 'height,fever,ward,class\n1.8,36.5,3.25,well\n1.8,37.5,3.25,well\n' >more.csv
run ilk update lab.bayes more.csv 2>&1 | grep note
run ilk forget lab.bayes more.csv 2>&1 | grep note

# A spelling of "no value" that is not known makes a column of numbers none: it is said, and it is no identifier.
for nulls in 1 2 60; do
    awk -v nulls=$nulls 'BEGIN { print "x,class"
        for (i = 0; i < 1000; i++) print (i < nulls ? "null" : i * 1.5) "," (i % 3 ? "a" : "b") }' >null.csv
    run ilk train --loo none null.csv -o null.bayes 2>&1 | grep 'x'
done
run ilk train --na null --loo none null.csv -o null.bayes 2>&1 | grep 'x'
awk 'BEGIN { print "x,z,class"
    for (i = 0; i < 1000; i++) print "id" i "," i % 7 * 1.5 "," (i % 3 ? "a" : "b") }' >id.csv
run ilk train --loo none id.csv -o id.bayes 2>&1 | grep note

# Counts: the mean of all, unless nothing is added to it. A full Gaussian needs a row.
sed 's/height/cups/; s/^1\.\([0-9]\)[0-9]*/\1/; s/\.[25]*,/,/g' lab.csv | grep -v 36 >cups.csv
run ilk train --family fever=poisson --ignore ward cups.csv -o cups.bayes 2>&1 | grep note
ilk inspect --csv cups.bayes | grep 'lambda.*fever' | rounded
fails ilk train --family fever=poisson --smooth 0 cups.csv -o none.bayes
grep -v 36.5 lab.csv >bare.csv
fails ilk train --model gda bare.csv -o none.bayes
