# SPDX-License-Identifier: Apache-2.0
#
# Every kind of model, and every family for a column of its kind.
. "$TESTS/cli/common.bash"
data=$EXAMPLES/playtennis.csv

# The joint table of the seeds: 0/9 and 1/5 for a day seen once, 36 combinations for each of two classes.
run ilk train --model table --smooth 0 --target PlayTennis --ignore Day "$data" -o table.bayes 2>&1
run ilk inspect table.bayes
echo "Outlook,Temperature,Humidity,Wind
Sunny,Hot,High,Weak" >day.csv
run ilk predict --joint table.bayes day.csv | rounded

# Of n flags the table has 2^n - 1 free numbers for each class.
for n in 1 4 10; do
    awk -v n=$n 'BEGIN {
        for (i = 1; i <= n; i++) printf "f%d,", i; print "y"
        for (row = 0; row < 4; row++) {
            for (i = 1; i <= n; i++) printf "%s,", (row + i) % 2 ? "on" : "off"
            print row < 2
        }
    }' >flags.csv
    ilk train -q --model table flags.csv -o flags.bayes
    ilk inspect --csv flags.bayes | grep ^parameters
done

# Counts: whole numbers, none negative; a fraction that comes later is an error with its line.
printf 'visits,change,height,kind,y\n0,1,1.5,u,a\n2,-1,2.5,u,a\n1,3,1,u,a\n7,2,3.5,v,b\n5,1,2,u,b\n9,0,1,u,b\n' \
    >counts.csv
run ilk train --model poisson counts.csv -o poisson.bayes 2>&1
run ilk inspect poisson.bayes
cp counts.csv late.csv
echo 2.5,1,1,u,a >>late.csv
fails ilk train -q --model poisson --family visits=poisson late.csv -o new.bayes
fails ilk predict poisson.bayes late.csv

# Three event models for the same words.
for model in multinomial bernoulli complement; do
    run ilk train --model $model "$EXAMPLES/messages.tsv" -o $model.bayes 2>&1
    run ilk inspect --words 3 $model.bayes
    run ilk eval $model.bayes "$EXAMPLES/messages-test.tsv" | head -n 3
done
fails ilk train -q --model bernoulli --target PlayTennis "$data" -o new.bayes

# The help knows all families; each of them takes a column.
ilk help train | tr -s ' \n' ' ' >help
families=$(sed -n 's/.*how to model one column: \([^;]*\);.*/\1/p' help)
[ "${families%%,*}" = gaussian ] || echo "the help lists no families"
for family in gaussian gaussian-shared gda qda poisson; do
    grep -q "[ :]$family[,;]" help || echo "$family is not in the help"
    ilk train -q --family visits=$family --ignore change,height,kind counts.csv -o m.bayes
    ilk predict m.bayes counts.csv | sed -n 2p
done | rounded
for family in categorical table multinomial bernoulli complement; do
    grep -q "[ :]$family[,;]" help || echo "$family is not in the help"
    ilk train -q --family kind=$family --ignore change,height,visits counts.csv -o m.bayes
    ilk predict m.bayes counts.csv | sed -n 2p
done | rounded

# A model that is named after a family needs a column for it, and every family is a model.
for model in gda qda gaussian poisson; do
    fails ilk train -q --model $model --target PlayTennis "$data" -o new.bayes
done
printf 'n,y\n10,a\n12,a\n11,a\n17,b\n15,b\n19,b\n' >any.csv
for family in ${families//,/}; do
    ilk train -q --model "$family" --family "n=$family" any.csv -o m.bayes 2>err || sed "s/^/$family: /" err
done
[ "$(ilk help estimate | tr -s ' \n' ' ' | sed -n 's/.*out of \([^(]*\) (default.*/\1/p')" = "$families" ] &&
    echo "estimate: the same families"

# Why there is no table: a row of each class must be whole, and combinations must be few enough to be counted.
printf 'a,b,class\n?,x,u\ny,z,v\ny,?,u\n' >holes.csv
fails ilk train --model table --smooth 0 holes.csv -o none.bayes
awk 'BEGIN { for (i = 0; i < 1100; i++) printf "c%d,", i; print "class"
    for (r = 0; r < 4; r++) { for (i = 0; i < 1100; i++) printf "%s,", r % 2 ? "p" : "q"; print r < 2 ? "u" : "v" } }' >wide.csv
fails ilk train --model table wide.csv -o none.bayes
fails ilk train --model table --smooth 0 wide.csv -o none.bayes
cut -d, -f101- wide.csv >narrower.csv # 2^1000 are not too many, but as many times what is added to each are
fails ilk train --model table --smooth 1e9 narrower.csv -o none.bayes

# A dozen notes are enough.
awk 'BEGIN { for (i = 0; i < 1020; i++) printf "c%d,", i; print "x,class"
    for (r = 0; r < 4; r++) { for (i = 0; i < 1020; i++) printf ","; print r % 3 "," (r < 2 ? "u" : "v") } }' >empty.csv
run ilk train --loo none empty.csv -o m.bayes 2>&1 | grep note
