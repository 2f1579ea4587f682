# SPDX-License-Identifier: Apache-2.0
#
# Bins and transforms: the living areas of the course notes, what is learnt, and what is refused.
. "$TESTS/cli/common.bash"
cat >homes.csv <<'END'
area,price,garden,sold
350,10,no,slow
890,12,yes,quick
1600,30,yes,quick
1700,35,yes,slow
420,11,no,slow
460,9,no,slow
1300,25,yes,quick
1250,24,no,quick
380,10,no,slow
1900,40,yes,quick
700,20,no,slow
,18,yes,quick
END
train() { run ilk train "$@" -o homes.bayes homes.csv 2>&1 | grep -v rows/s; }

# 890 is in the third bin, 1600 in the fifth; every bin counts, seen or not.
train --bins area=400,800,1200,1600 --transform price=log
run ilk inspect homes.bayes
run ilk inspect --json homes.bayes | valid | head -n 5
run ilk inspect --csv homes.bayes | grep -e power -e '1600,inf' | rounded
printf 'area,price,garden\n890,12,no\n1600,12,no\n"[800,1200)",12,no\n,12,\n' >new.csv
run ilk predict --keep area --posterior homes.bayes new.csv | rounded
run ilk explain --top 2 homes.bayes new.csv | head -n 5

# What is learnt, and from how many rows.
train --bins area=bins:3
train --bins area=width:500
train --bins area=quantile:4 --transform price=boxcox
train --bins area=mdlp --bins price=mdlp
train --transform '*=yeo-johnson' --model gda
train --bins '*=quantile:2' --transform area=log
train --bins '*=mdlp' --model categorical
train --bins area=quantile:3 --model table --ignore price

# The same bits for any number of threads.
for threads in 1 3; do
    ilk train -q --threads $threads --bins area=mdlp --transform price=boxcox -o $threads.bayes homes.csv
done
cmp 1.bayes 3.bayes && echo same bytes

echo "# Refused"
bad() { fails ilk train -o bad.bayes "$@" homes.csv; }
bad --bins aera=mdlp
bad --bins area
bad --bins area=
bad --bins area=800,400
bad --bins area=400,x
bad --bins area=bins:0
bad --bins area=width:0
bad --bins area=quantile:1.5
bad --bins area=1 --bins area=2
bad --bins area=mdlp --transform area=log
bad --bins '*=mdlp' --transform '*=log'
bad --bins garden=mdlp
bad --bins garden=1,2
bad --bins area=mdlp --ignore area
bad --bins area=mdlp --family area=gaussian
bad --bins area=1 --target area
bad --text garden --ignore garden
bad --transform area=sqrt
bad --transform garden=boxcox
bad --transform price=log --family price=poisson
bad --transform price=log --model categorical
printf 'x,y\n1.5,v\n2.5,u\n3.5,v\n4.5,u\n5.5,v\n6.5,u\n7.5,v\n' >seven.csv
run ilk train -o seven.bayes --bins x=quantile:10 seven.csv 2>&1 | grep fewer
sed 's/^460,9,/460,0,/' homes.csv >zero.csv
fails ilk train -o bad.bayes --transform price=boxcox zero.csv
fails ilk train -o bad.bayes --transform price=log zero.csv
run ilk train -o zero.bayes --transform price=yeo-johnson zero.csv 2>&1 | head -n 1
run ilk train -o zero.bayes --bad-rows skip --transform price=boxcox zero.csv 2>&1 | grep -e note -e skip -e first
fails ilk predict homes.bayes nowhere.csv
ilk train -q --transform price=log -o log.bayes homes.csv
fails ilk predict log.bayes zero.csv
ilk train -q --bins area=400 -o 400.bayes homes.csv
ilk train -q --bins area=401 -o 401.bayes homes.csv
fails ilk merge -o bad.bayes 400.bayes 401.bayes
printf 'area,price,garden\nbig,1,no\n' >words.csv
fails ilk predict 400.bayes words.csv
