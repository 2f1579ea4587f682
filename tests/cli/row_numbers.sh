# SPDX-License-Identifier: Apache-2.0
#
# A column that numbers the rows has no name in what pandas and R write. It says nothing of rows to come.
. "$TESTS/cli/common.bash"
printf 'a,y\n5.5,p\n6.5,q\n5.25,p\n7.5,q\n' >plain.csv
awk 'NR == 1 { print "," $0; next } { print NR - 2 "," $0 }' plain.csv >pandas.csv
awk -F, 'NR == 1 { print "\"\",\"a\",\"y\""; next } { printf "\"%d\",%s,\"%s\"\n", 9 - NR, $1, $2 }' plain.csv >r.csv
ilk train -q plain.csv -o plain.bayes
for data in pandas r; do
    run ilk train --loo none --model gda $data.csv -o numbered.bayes
    cmp <(ilk predict numbered.bayes $data.csv) <(ilk predict numbered.bayes plain.csv) && echo "needed no more"
done
ilk train --bins '*=bins:2' pandas.csv -o bins.bayes 2>&1 | grep -E 'categorical|ignored'
ilk sample -n 9 numbered.bayes | head -n 1
ilk sample -n 9 numbered.bayes | ilk train --model gda --loo none -o again.bayes - 2>&1 | grep -E '^(gda|note|column)|ignored'

echo "== it is a number like any other with a name, without a header, if it recurs, or if that is said"
for data in "id$(cat pandas.csv)" "$(tail -n +2 pandas.csv)" "$(sed 's/^2,/1,/' pandas.csv)"; do
    ilk train -o other.bayes - <<<"$data" 2>&1 | grep -E 'gaussian|ignored'
done
ilk train --family 1=gaussian pandas.csv -o other.bayes 2>&1 | grep -E 'gaussian|ignored'
printf ',a,y\n.5,3,p\n1.5,1,q\n2.5,2,p\n' | ilk train -o other.bayes - 2>&1 | grep -E 'gaussian|ignored'
ilk sample -n 9 other.bayes | ilk train -o again.bayes - 2>&1 | grep rows,
printf ',y\n1,p\n2,q\n' | fails ilk train -o other.bayes -
