# SPDX-License-Identifier: Apache-2.0
#
# Tables of many columns: what takes a walk over all of them for each, or worse, does not end in time here.
. "$TESTS/cli/common.bash"
table() {   # COLUMNS VALUES...: six rows, two classes; in row i every column has the i-th value
    awk 'BEGIN { d = ARGV[1]; for (j = 1; j <= d; j++) printf "c%d,", j; print "class"
        for (i = 2; i < ARGC; i++) { for (j = 1; j <= d; j++) printf "%s,", ARGV[i]; print i % 2 ? "p" : "q" } }' "$@"
}

echo "--- 100,000 columns of numbers"
table 100000 1.5 2.25 1.25 2.75 >numbers.csv
ilk train --loo none numbers.csv -o numbers.bayes 2>&1 | grep -v rows/s
ilk predict -q numbers.bayes numbers.csv | rounded
head -n 2 numbers.csv | ilk predict -q numbers.bayes - | rounded

echo "--- 20,000 columns of categories, some of them bins"
table 20000 u v u w >categories.csv
ilk train --loo none categories.csv -o categories.bayes 2>&1 | grep -v rows/s
ilk export categories.bayes --to c >model.c
grep '^ \*   category.*c[15]0*$' model.c
grep 'code\[19999\] = ' model.c
cut -d, -f-20000 categories.csv | paste -d, - <(cut -d, -f99990- numbers.csv) >both.csv
sed -i '1s/,c99999,/,other,/' both.csv
ilk train -q --loo none --bins other=2 --bins c100000=2 both.csv -o both.bayes
ilk export both.bayes --to c >model.c
grep '^ \*   number\|double number' model.c
grep 'row->number' model.c
