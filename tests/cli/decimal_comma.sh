# SPDX-License-Identifier: Apache-2.0
#
# Tables as spreadsheets write them where the comma is the decimal point: semicolons between fields.
. "$TESTS/cli/common.bash"
printf 'a,b,c,y\n5.1,-0.25,1e3,p\n4.9,-.5,2.5e-1,p\n7.25,2,-3e2,q\n6.5,3.,0,q\n6.75,1.5,7,q\n' >points.csv
sed 's/,/;/g; s/\./,/g' points.csv >commas.csv
ilk train -q points.csv -o points.bayes
ilk train commas.csv -o commas.bayes 2>&1 | grep gaussian
cmp points.bayes commas.bayes && echo "the same model"
cmp <(ilk predict --log-joint points.bayes points.csv) <(ilk predict --log-joint points.bayes commas.csv) &&
    echo "the same answers"
ilk predict --keep all commas.bayes commas.csv | sed -n 2p | cut -d , -f 1-5

echo "== without a header, in quotes, row by row, with blanks"
tail -n +2 commas.csv >none.csv
ilk train none.csv -o none.bayes 2>&1 | grep gaussian
ilk predict none.bayes none.csv | cut -d , -f 1 | paste -sd ' '
sed 's/\([0-9,]*,[0-9]*\);/"\1";/' none.csv | cmp <(ilk predict none.bayes -) <(ilk predict none.bayes none.csv) && echo "in quotes"
sed 's/;/ ; /g' none.csv | cmp <(ilk predict none.bayes -) <(ilk predict none.bayes none.csv) && echo "with blanks"
(printf 'a;b;c\n5,1;-,25;1e3\n'; sleep .2; printf '6,75;1,5;7\n') | ilk predict commas.bayes - | cut -d , -f 1

echo "== labels and texts stay as they are written"
printf 'x;t;y\n5,1;1,5;1,5\n4,9;2,5 a;1,5\n7,25;1,5 b;2\n6,5;2,5;2\n' >labels.csv
ilk train --text t labels.csv -o labels.bayes 2>&1 | head -n 1
ilk eval --json labels.bayes labels.csv | grep -o '"classes":.*'
ilk inspect --words 9 labels.bayes | grep -A 9 ^words
ilk predict --keep all labels.bayes labels.csv | grep -o '^5.1,"1,5","1,5","1,5"'

echo "== what is none stays as it is"
printf 'w;y\n1,2,3;p\n,;q\n-,e1;p\n1,2x;q\n3,e;p\n4,5e+;q\n' >words.csv
ilk train -q --family w=categorical words.csv -o words.bayes
ilk inspect --csv words.bayes | grep ^phi | cut -d , -f 3-6 | sort -u
printf 'a,b;c,y\n1,2;3,p\n4,5;6,q\n' | ilk train --family 'b;c=categorical' -o comma.bayes - 2>&1 | grep categorical
printf '5,1;x\n4,2\n' | fails ilk train -o no.bayes -
printf 'a;y\n5,1;p\n1.234,5;q\n6,5;p\n' | fails ilk train --family a=gaussian -o no.bayes -
