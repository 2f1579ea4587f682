# SPDX-License-Identifier: Apache-2.0
#
# Every column of predict, in both forms.
. "$TESTS/cli/common.bash"
needs jq
cat >data.csv <<'END'
size,colour,class
1,red,a
2,red,a
3,"b,lue","b ""q"""
5,"b,lue","b ""q"""
END
run ilk train -q --smooth 0 --family size=gaussian data.csv -o m.bayes

# Columns in another order, one more than the model knows, a field with a comma, a missing value.
cat >new.csv <<'END'
id,colour,size
x 1,"b,lue",4
"x""2",red,1.5
3,?,2.5
END
run ilk predict m.bayes new.csv | rounded
run ilk predict --posterior --joint --log-joint m.bayes new.csv | rounded
run ilk predict --keep colour,id m.bayes new.csv | rounded
run ilk predict --keep 1 m.bayes new.csv | rounded
run ilk predict --keep all m.bayes new.csv | rounded
run ilk predict --json --keep id --posterior --joint --log-joint m.bayes new.csv | valid
run ilk predict m.bayes - <new.csv | rounded
# All digits: what reads back as the same number.
echo "$(ilk predict --json --joint m.bayes new.csv | grep -c '0.0539909665131880')" row with the density
fails ilk predict --keep colur m.bayes new.csv

# A column that is called like an answer cannot stand beside it; where it is not kept, or that is no answer, it may.
echo 'colour,size,prediction,posterior,joint:a,joint:c' >named.csv
echo 'red,2,p,q,r,s' >>named.csv
for form in '' --json; do
    fails ilk predict $form --keep all m.bayes named.csv
    fails ilk predict $form --keep size,prediction m.bayes named.csv
    fails ilk predict $form --keep posterior --posterior m.bayes named.csv
    fails ilk predict $form --keep joint:a --joint m.bayes named.csv
    run ilk predict $form --keep posterior,joint:a,joint:c --log-joint m.bayes named.csv | valid
    run ilk predict $form --keep joint:c --joint m.bayes named.csv | valid
done

# An empty batch is a batch, but there is nothing to compare.
head -n 1 new.csv >none.csv
run ilk predict --keep id --posterior m.bayes none.csv
run ilk predict --json m.bayes none.csv
run ilk predict m.bayes - <none.csv
run ilk explain m.bayes none.csv
fails ilk eval m.bayes none.csv
: >empty.csv
fails ilk predict m.bayes empty.csv

# 0/0: green was never seen, and the model was told to take it as a value of count 0.
run ilk train -q --smooth 0 --unseen unknown --ignore size data.csv -o zero.bayes
printf 'colour\ngreen\nred\n' >green.csv
run ilk predict --posterior --joint --log-joint zero.bayes green.csv | rounded
run ilk predict --json --posterior --log-joint zero.bayes green.csv | valid
run ilk predict -q zero.bayes green.csv | rounded
