# SPDX-License-Identifier: Apache-2.0
#
# Drawn rows are read again as they were written, also where columns are named by numbers or by nobody.
. "$TESTS/cli/common.bash"
classes() { ilk inspect "$1" | sed -n '2,/^$/p'; }

echo "== no header"
printf '1.5,2.5,p\n3.5,4.5,q\n1.25,3.5,p\n' >none.csv
ilk train -q none.csv -o none.bayes
run ilk sample -n 2 none.bayes
ilk sample -n 30 none.bayes | ilk update -q none.bayes - && classes none.bayes
ilk sample --json -n 1 none.bayes | cut -c 1-6

echo "== numbers, and the target's name"
printf '2019,2020,class\n1.5,2.5,p\n3.5,4.5,q\n1.25,3.5,p\n' >years.csv
ilk train -q --header years.csv -o years.bayes
ilk update -q years.bayes years.csv && classes years.bayes
ilk sample -n 30 years.bayes | ilk update -q years.bayes - && classes years.bayes
ilk eval years.bayes years.csv | head -n 1

echo "== svmlight"
printf 'p 1:1.5 2:2.5\nq 1:3.5 2:4.5\np 1:1.25 2:3.5\n' >dense.svm
ilk train -q dense.svm -o dense.bayes
ilk sample -n 30 dense.bayes | ilk update -q --format csv dense.bayes - && classes dense.bayes

echo "== only numbers: a row"
printf '2019,2020\n' | ilk predict years.bayes - | wc -l
