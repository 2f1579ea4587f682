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

# 0/0: green was never seen, and the model was told to take it as a value of count 0.
run ilk train -q --smooth 0 --unseen unknown --ignore size data.csv -o zero.bayes
printf 'colour\ngreen\nred\n' >green.csv
run ilk predict --posterior --joint --log-joint zero.bayes green.csv | rounded
run ilk predict --json --posterior --log-joint zero.bayes green.csv | valid
run ilk predict -q zero.bayes green.csv | rounded
