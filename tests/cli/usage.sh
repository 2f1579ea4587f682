# SPDX-License-Identifier: Apache-2.0
#
# Exit code 2 for what was asked, 1 for what was found; and nothing that was asked is passed over.
. "$TESTS/cli/common.bash"

printf 'a,n,note,class\n1.5,1,one two three four five six,u\n2.25,3,seven one two,v\n3.125,2,two two two,u\n4.5,0,one,v\n' >t.csv
run ilk train -q --text note t.csv -o t.bayes

# A class that is not there, or twice.
fails ilk train --prior w=0.5 t.csv -o none.bayes
fails ilk train --prior u=0.5,u=0.2 t.csv -o none.bayes
fails ilk estimate --prior w=0.5 t.bayes -o none.bayes
fails ilk estimate --prior u=0.5,u=0.2 t.bayes -o none.bayes
fails ilk explain --against w t.bayes t.csv
fails ilk forget t.bayes --class w
fails ilk predict --keep w t.bayes t.csv
fails ilk predict --keep '' t.bayes t.csv
fails ilk predict --keep 7 t.bayes - <t.csv

for command in 'train -o none.bayes' 'update t.bayes' 'forget t.bayes' 'predict t.bayes' 'eval t.bayes' 'explain t.bayes'; do
    fails ilk $command --encoding nope t.csv
done

# What can be read once only.
fails ilk train --passes 2 - -o none.bayes <t.csv
fails ilk train --loo all - -o none.bayes <t.csv
mkdir folder
fails ilk train --passes 2 folder -o none.bayes
fails ilk train --loo all folder -o none.bayes

# Options that would do nothing.
fails ilk train --text note --family note=gaussian t.csv -o none.bayes
fails ilk train --text note --family note=categorical t.csv -o none.bayes
run ilk train -q --text note --family note=bernoulli t.csv -o b.bayes
fails ilk export t.bayes --to json --name mine
for option in --binary --log-counts --unit-length --keep-case '--tokens words' '--ngrams 1-1' '--max-words 9' \
    '--vocab 0' '--min-docs 1' '--shrink 0.5' '--shrink loo' '--columns 3' '--family a=poisson --family a=gaussian'; do
    fails ilk train --ignore note $option t.csv -o none.bayes
done
for option in --binary --log-counts --unit-length; do
    fails ilk train --text note --family note=bernoulli $option t.csv -o none.bayes
    run ilk train -q --text note --family note=bernoulli $option --vocab 2 t.csv -o b.bayes
done
run ilk train -q --ignore note t.csv -o plain.bayes
for option in '--vocab 9' '--min-docs 1' '--shrink none'; do fails ilk estimate $option plain.bayes -o none.bayes; done
fails ilk update --max-words 9 plain.bayes t.csv
printf '1 1:4 2:2\n2 2:1\n1 1:3\n' >t.svm
for option in --keep-case '--tokens words' '--ngrams 1-2'; do fails ilk train $option t.svm -o none.bayes; done
printf 'w,y\na:1 b:1,p\nc:3 a:1,q\n' >counts.csv
for option in --keep-case '--ngrams 1-2'; do
    fails ilk train --text w --tokens counts $option counts.csv -o none.bayes
done
run ilk train -q --text w --tokens counts counts.csv -o counts.bayes
run ilk train -q --tokens counts --log-counts --unit-length --min-docs 1 t.svm -o svm.bayes
ilk inspect svm.bayes | grep tokens
fails ilk train t.csv -o -
fails ilk merge -o - t.bayes t.bayes
fails ilk estimate -o - t.bayes

# Fractions are no counts, as far as sums tell.
run ilk train -q --ignore note --family a=gaussian --family n=gaussian t.csv -o real.bayes
fails ilk estimate real.bayes --model poisson -o none.bayes
fails ilk estimate real.bayes --model negative-binomial -o none.bayes
run ilk train -q --ignore note,a --family n=gaussian t.csv -o whole.bayes
run ilk estimate -q whole.bayes --model poisson -o poisson.bayes
run ilk train -q --ignore note,a --family n=poisson t.csv -o trained.bayes
cmp poisson.bayes trained.bayes && echo 'the same as trained'

# Errors name the data, or the model.
fails ilk train --target nope t.csv -o none.bayes
fails ilk train --target clas t.csv t.csv -o none.bayes
fails ilk train --text nope - -o none.bayes <t.csv
fails ilk train --ignore a,n,note t.csv -o none.bayes
fails ilk train --model bernoulli t.csv -o none.bayes
awk 'BEGIN { print "x,y"; for (i = 0; i < 30; i++) print "a," i / 3 }' >numbers.csv
fails ilk train numbers.csv -o none.bayes
printf 'a,b,class\n1.5,3,u\n2.5,5,u\n' >one.csv
fails ilk train one.csv -o none.bayes
fails ilk train one.csv one.csv -o none.bayes
fails ilk train - -o none.bayes <one.csv
printf 'a,b,class\n1.5,3,u\n2.5,5,v\n3.5,7,u\n5.5,11,v\n' >line.csv
fails ilk train --model gda line.csv -o none.bayes
run ilk train -q --model gda --shrink 0.5 line.csv -o line.bayes
fails ilk estimate --shrink none line.bayes -o none.bayes
fails ilk forget t.bayes t.csv
