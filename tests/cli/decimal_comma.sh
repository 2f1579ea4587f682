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
ilk train --text t labels.csv -o labels.bayes 2>&1 | head -n 2
ilk eval --json labels.bayes labels.csv | grep -o '"classes":.*'
ilk inspect --words 9 labels.bayes | grep -A 9 ^words
ilk predict --keep all labels.bayes labels.csv | grep -o '^5.1,"1,5","1,5","1,5"'

echo "== names stay as they are written"
printf '\0421,5\042;y\n5,1;p\n4,9;q\n7,2;p\n1,5;q\n' | ilk train -q --header -o names.bayes -
ilk inspect names.bayes | grep 1,5
printf 'y;\0421,5\042\np;5,1\nq;4,9\n' | tee twice.csv | ilk predict names.bayes - | wc -l
printf '2;\0421,5\042;1.5;y\n3;5,1;6;p\n2;4,9;7,5;q\n3;5,3;6;p\n' >twins.csv
ilk train --header twins.csv twins.csv -o twins.bayes 2>&1 | grep rows,

echo "== commas between digits are told, of numbers"
printf 'price;n;y\n1,234;3,5;p\n2,050;1,5;q\n1,199;2;p\n' >prices.csv
ilk train prices.csv -o prices.bayes 2>&1 | grep decimal
ilk train --bins '*=bins:2' prices.csv -o prices.bayes 2>&1 | grep decimal
ilk train --ignore price prices.csv -o prices.bayes 2>&1 | grep decimal
ilk train --weights price prices.csv -o prices.bayes 2>&1 | grep -E 'decimal|of weight'
printf 'y;n\n1,5;3\n1,5;4\n2,5;1\n2,5;2\n' | ilk train --target y -o labels.bayes - 2>&1 | grep -c decimal
printf 'x;y\n%040d,5;p\n-%040d,;q\n' 1 2 | ilk train -o long.bayes - 2>&1 | grep decimal && ilk inspect long.bayes | grep -w x

echo "== what divides is told by the first row"
printf '  \n1,5;2,5;p\n2,5;1;q\n1,25;1;p\n' | ilk train -o three.bayes - 2>&1 | grep ^gaussian
printf '1,5;2,5;q\n' | ilk predict three.bayes -
printf '1,5;2,5\n' | ilk predict three.bayes -
printf '1,5;2,5;q\n2;1;p;\n' | ilk predict --bad-rows skip three.bayes - 2>&1
printf '1,5;"x;\ny";p\n2,5;z;q\n1,25;z;p\n' | ilk train -o quoted.bayes - 2>&1 | grep -E '^(gaussian|categorical)'
printf 'w,y\n"1,5",p\n"2,5",q\n"1,5",q\n' | ilk train -q --family w=categorical -o quoted.bayes -
ilk inspect --csv quoted.bayes | grep ^phi | cut -d , -f 3-6 | sort -u
printf 'w "a,b";y\n1 "c,d";p\n1 "c,d";q\n' | ilk train -q -o inner.bayes - && ilk inspect --csv inner.bayes | grep -c 'w ""a'
printf '1,"255;0;0"\n2,"12;3"\n1,"255;0;0"\n2,"12;3"\n' | ilk train --target 1 -o lists.bayes - 2>&1 | grep ^categorical
ilk predict lists.bayes - <<<'1,255;0;0'

echo "== what is none stays as it is"
printf 'w;y\n1,2,3;p\n,;q\n-,e1;p\n1,2x;q\n3,e;p\n4,5e+;q\n' >words.csv
ilk train -q --family w=categorical words.csv -o words.bayes
ilk inspect --csv words.bayes | grep ^phi | cut -d , -f 3-6 | sort -u
printf 'a,b;c,y\n1,2;3,p\n4,5;6,q\n' | ilk train --family 'b;c=categorical' -o comma.bayes - 2>&1 | grep categorical
printf '5,1;x\n4,2\n' | fails ilk train -q -o no.bayes -
printf 'a;y\n5,1;p\n1.234,5;q\n6,5;p\n' | fails ilk train -q --family a=gaussian -o no.bayes -
