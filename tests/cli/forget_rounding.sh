# SPDX-License-Identifier: Apache-2.0
#
# What is forgotten may have hidden what stays: then it is refused, and the file stays; or only zeros stay.
. "$TESTS/cli/common.bash"
printf 'x,w,y\n1.1,1,a\n2.2,1,a\n3.3,1,a\n4.4,1,a\n5.5,1,a\n1.5,.5,b\n3.5,.5,b\n' >halves.csv
printf 'x,w,y\n1000000.5,1,b\n' >far.csv
ilk train -q --weights w --family x=gaussian --target y halves.csv -o m.bayes
ilk update -q m.bayes far.csv
cp m.bayes before.bayes
fails ilk forget -q m.bayes far.csv
cmp m.bayes before.bayes && echo "the model is as it was"

printf 'x,y\n2,a\n17,a\n9,a\n0,b\n0,b\n' >zeros.csv
printf 'x,y\n5,b\n' >five.csv
for family in poisson negative-binomial; do
    ilk train -q --family x=$family --smooth 0 --target y zeros.csv -o never.bayes
    cp never.bayes m.bayes
    ilk update -q m.bayes five.csv
    ilk forget -q m.bayes five.csv
    for model in never m; do ilk predict -q --joint $model.bayes five.csv; done
done
