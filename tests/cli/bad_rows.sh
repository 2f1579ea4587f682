# SPDX-License-Identifier: Apache-2.0
#
# One line per row of the data, also for rows that cannot be read and are skipped.
. "$TESTS/cli/common.bash"
printf 'id,x,c,y\n1,2.5,a,p\n2,1.5,a,p\n3,7.5,b,q\n4,8.5,b,q\n' >train.csv
ilk train -q --ignore id --family x=gaussian train.csv -o m.bayes
printf 'id,x,c,y\n1,2,a,p\n2,two,a,p\n3,7\n4,8,b,q\n5,,b,q\n6,1,2,3,4\n' >data.csv
fails ilk predict m.bayes data.csv
for threads in 1 2; do
    run ilk predict --threads $threads --bad-rows skip --keep id,x m.bayes data.csv 2>&1 | rounded
done
run ilk predict -q --bad-rows skip --posterior --log-joint --joint m.bayes data.csv | cut -d, -f1,2 | rounded
run ilk predict -q --bad-rows skip --posterior --log-joint --joint m.bayes data.csv | sed -n 4,5p
run ilk predict -q --bad-rows skip --json --posterior --keep id m.bayes data.csv | rounded
run ilk eval -q --bad-rows skip m.bayes data.csv | head -n 3
run ilk explain --bad-rows skip --top 1 m.bayes data.csv 2>&1 | grep -v '^ ' | rounded
run ilk explain -q --bad-rows skip --json m.bayes data.csv | sed -n 4p
printf 'id,x,c,y\n2,two,a,p\n' >none.csv
run ilk predict --bad-rows skip m.bayes none.csv 2>&1
fails ilk eval -q --bad-rows skip m.bayes none.csv
fails ilk train -q --bad-rows skip --family x=gaussian none.csv -o none.bayes
# Where no row can be read, the first says why.
printf 'a,b,y\n1 2 p\n3 4 q\n' >blanks.csv
fails ilk train -q blanks.csv -o none.bayes
fails ilk train -q --bad-rows skip --passes 2 blanks.csv -o none.bayes
# More bad rows before the first good one than are looked at where the format names its columns.
{ awk 'BEGIN { for (i = 0; i < 40000; i++) print "a line that has no label and is passed over" }'
  awk 'BEGIN { for (i = 0; i < 2000; i++) print (i % 2 ? "spam\twin a prize" : "ham\tsee you there") }'; } >late.txt
run ilk train --bad-rows skip --loo none --format lines late.txt -o late.bayes 2>&1
fails ilk train --format lines late.txt -o none.bayes
