# SPDX-License-Identifier: Apache-2.0
#
# Given priors and shrinkage: chosen, stored, and kept by merge.
. "$TESTS/cli/common.bash"
data=$EXAMPLES/playtennis.csv
priors() { ilk inspect --csv "$1" | grep ^prior | cut -d, -f5-8 | rounded; }
train() { ilk train -q --target PlayTennis --ignore Day --model categorical "$@"; }
for prior in No=0.3,Yes=0.7 Yes=.7 No=1e-3; do
    echo "$prior"
    train --prior $prior "$data" -o m.bayes
    priors m.bayes
done
run ilk train --prior No=0.3 --target PlayTennis --ignore Day "$data" -o m.bayes 2>&1
train --prior uniform --prior No=0.3 "$data" -o a.bayes
train --prior No=0.9 --prior No=0.3 "$data" -o b.bayes
cmp a.bayes b.bayes && echo the last one counts
train --prior No=0.3 --prior uniform "$data" -o m.bayes
priors m.bayes

# Names may hold what divides.
printf 'x,y\n1,"a,b"\n2,"a,b"\n3,p=1\n4,p=1\n5,c\n6,c\n' >odd.csv
ilk train -q --family x=gaussian --prior 'a,b=0.2,p=1=0.5' odd.csv -o odd.bayes
ilk inspect odd.bayes | head -n 4

# The order in which they are given, and that in which rows came, which the file keeps neither of, do not count.
printf 'x,w,y\nu,.3,d\nv,.7,a\nu,.11,c\nv,.23,b\n' >rows.csv
for prior in a=0.3081,c=0.2632,b=0.0287 b=0.0287,c=0.2632,a=0.3081 empirical smoothed; do
    ilk train -q --weights w --target y --family x=categorical --prior $prior rows.csv -o rows.bayes
    ilk estimate -q rows.bayes -o again.bayes
    cmp rows.bayes again.bayes && echo "$prior: same bytes"
done

# What rounding leaves of 1 is no share.
printf 'x,y\n1,A\n2,A\n3,B\n4,B\n5,C\n6,C\n7,D\n8,D\n9,E\n8,E\n' >five.csv
fails ilk train -q --prior A=0.3,B=0.4,C=0.2,D=0.1 five.csv -o five.bayes

# Halves merged have the prior of the first, to the byte.
half() { { head -n 1 "$1"; tail -n +2 "$1" | awk -v part="$2" 'NR % 2 == part'; }; }
for part in 0 1; do half "$data" $part >half$part.csv; done
for prior in No=0.3,Yes=0.7 No=0.123456789,Yes=0.876543211 No=0.9999,Yes=0.0001 Yes=1e-300; do
    train --prior $prior "$data" -o whole.bayes
    for part in 0 1; do train --prior $prior half$part.csv -o $part.bayes; done
    ilk merge -q -o merged.bayes 0.bayes 1.bayes
    cmp merged.bayes whole.bayes && echo "$prior: same bytes"
done
printf 'Day,Outlook,Temperature,Humidity,Wind,PlayTennis\nD1,Rain,Hot,High,Weak,Perhaps\nD2,Rain,Hot,High,Weak,No\n' \
    >more.csv
train more.csv -o more.bayes
ilk merge -q -o new.bayes whole.bayes more.bayes && priors new.bayes     # classes that are not given share the rest
train --prior No=0.4,Yes=0.6 "$data" -o given.bayes
rm new.bayes
fails ilk merge -o new.bayes given.bayes more.bayes
ilk merge -q -o new.bayes more.bayes whole.bayes && priors new.bayes

fails ilk train -q --prior yes=0.3 --target PlayTennis --ignore Day "$data" -o none.bayes
fails ilk train -q --prior No=0.3,Maybe=0.2 --target PlayTennis "$data" -o none.bayes
fails ilk train -q --prior No=0.3,Yes=0.3 --target PlayTennis "$data" -o none.bayes
fails ilk train -q --prior No=0.3,No=0.3 --target PlayTennis "$data" -o none.bayes
for prior in No No= No=0 No=1.5 No=x No=0.3, No=0.6,Yes=0.6 ''; do
    fails ilk train --prior "$prior" "$data" -o none.bayes
done

# Shrinkage: the off-diagonal of Sigma on its way to 0. It is kept by merge, and told.
printf 'x,z,y\n1,2,a\n2,4.5,a\n3,5.5,a\n7,1,b\n8,3,b\n10,3.5,b\n' >data.csv
for shrink in none 0 0.25 oas 1; do
    ilk train --model gda --shrink $shrink data.csv -o $shrink.bayes 2>&1 | grep ^smoothing
    ilk inspect --csv $shrink.bayes | grep '^Sigma,gda,x' | cut -d, -f3-6 | rounded
done
cmp none.bayes 0.bayes && echo none is 0
run ilk merge -o merged.bayes oas.bayes none.bayes 2>&1
if command -v jq >/dev/null; then
    for shrink in none 0.25 oas; do ilk inspect --json $shrink.bayes | jq -c .options; done
    ilk inspect --json whole.bayes | jq -c .options
fi
for shrink in 1.5 -1 some ''; do fails ilk train --shrink "$shrink" data.csv -o none.bayes; done
