# SPDX-License-Identifier: Apache-2.0
#
# 1,100 classes and 250 columns: a scatter of each class would take 550 MB, and gda keeps one of all.
. "$TESTS/cli/common.bash"

# Three rows of each class, of numbers that look like chance.
awk 'BEGIN {
    for (j = 0; j < 250; j++) printf "x%d,", j
    print "y"
    for (i = 0; i < 3300; i++) {
        s = (i * 7919 + 12345) % 1048573
        class = int(i / 3)
        for (j = 0; j < 250; j++) {
            s = (s * 4093 + 1013) % 1048573
            printf "%d,", s % 991 + class % 5
        }
        printf "c%d\n", class
    }
}' >all.csv
sed -n '1p;3,21p' all.csv >some.csv # all rows but one of the first class, and some whole classes
learn() { ilk train -q --target y --model gda --loo none all.csv "$@"; }

learn -o all.bayes --threads 1
learn -o too.bayes --threads 3
cmp all.bayes too.bayes
ilk predict -q all.bayes some.csv | rounded
run ilk forget -q all.bayes some.csv
ilk inspect all.bayes | head -n 3
fails ilk forget all.bayes --class c50
fails ilk estimate all.bayes --model qda -o no.bayes
