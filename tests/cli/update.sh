# SPDX-License-Identifier: Apache-2.0
#
# Updating a model is training on all rows; forgetting is never having seen.
. "$TESTS/cli/common.bash"
data=$EXAMPLES/playtennis.csv
header=$(head -n 1 "$data")
part() { { echo "$header"; sed -n "$1p" "$data"; }; }      # lines of the table as a table
part 2,8 >first.csv
part 9,15 >second.csv
train() { ilk train -q --target PlayTennis --ignore Day "$@"; }

train "$data" -o whole.bayes
train first.csv -o first.bayes
train second.csv -o second.bayes
cp first.bayes m.bayes
run ilk update m.bayes second.csv 2>&1
cmp m.bayes whole.bayes && echo "update is training on all rows"
run ilk forget m.bayes second.csv 2>&1
cmp m.bayes first.bayes && echo "forget undoes update"
cp whole.bayes m.bayes
ilk forget -q m.bayes --shard second.bayes
cmp m.bayes first.bayes && echo "a shard is forgotten as its rows are"
tail -n 7 "$data" | ilk update -q --no-header m.bayes -
cmp m.bayes whole.bayes && echo "from a pipe, by place"
ls

# Rows without a label are nothing to learn or to forget.
printf '%s\nD1,Sunny,Hot,High,Weak,\n' "$header" >unlabelled.csv
fails ilk update m.bayes unlabelled.csv
fails ilk forget m.bayes unlabelled.csv
printf '%s\nD1,Sunny\n' "$header" >short.csv     # nor are those that cannot be read, and it is said why
for command in update forget eval; do fails ilk $command -q --bad-rows skip m.bayes short.csv; done
printf ',,,,,\n' >>short.csv
fails ilk update -q --bad-rows skip m.bayes short.csv
cmp m.bayes whole.bayes && echo "the model is as it was"

# New classes, values and words; the options stay those of the model.
printf 'c,t,y\nred,a cold wet and rainy day,p\nblue,the sun on the long hot day,q\n' >old.csv
printf 'red,rain and sun and rain again today,p\n' >>old.csv
printf 'y,t,c\nr,snow fell on the cold white roof,green\nq,a hot day again in the sun,red\n' >new.csv
printf 'r,snow and rain on a dark day,\n' >>new.csv
for options in "" "--model bernoulli --smooth 0.5 --vocab 9 --prior uniform" \
    "--unseen unknown --min-docs 2 --prior p=0.2" \
    "--model complement --tokens chars --ngrams 1-2"; do
    ilk train -q $options --text t --target y old.csv -o old.bayes
    { cat old.csv; tail -n +2 new.csv | awk -F, '{ print $3 "," $2 "," $1 }'; } >all.csv
    ilk train -q $options --text t --target y all.csv -o all.bayes
    cp old.bayes m.bayes
    ilk update -q m.bayes new.csv
    cmp m.bayes all.bayes && echo "[$options] same bytes"
    ilk forget -q m.bayes --class r
    ilk forget -q m.bayes <(printf 'y,t,c\nq,a hot day again in the sun,red\n')
    cmp m.bayes old.bayes && echo "[$options] and back"
done

# Means and variances agree to rounding; counts of whole weights are exact.
awk 'BEGIN { srand(7); print "a,b,w,y"; for (i = 0; i < 400; i++) { k = i % 3
    printf "%.6f,%.6f,%d,%s\n", 100 * k + rand(), rand() * (k + 1) - k, i % 4, "c" k } }' >numbers.csv
{ head -n 1 numbers.csv; sed -n 2,201p numbers.csv; } >half.csv
{ head -n 1 numbers.csv; sed -n '202,$p' numbers.csv; } >rest.csv
for options in "" "--model gda" "--model qda --shrink oas" "--weights w"; do
    ilk train -q $options numbers.csv -o whole.bayes
    ilk train -q $options half.csv -o half.bayes
    cp half.bayes m.bayes
    ilk update -q m.bayes rest.csv
    near <(ilk inspect --csv m.bayes) <(ilk inspect --csv whole.bayes) && echo "[$options] to rounding"
    ilk forget -q m.bayes rest.csv
    near <(ilk inspect --csv m.bayes) <(ilk inspect --csv half.bayes) && echo "[$options] and back"
done

# For programs.
if command -v jq >/dev/null; then
    cp first.bayes m.bayes
    ilk update --json -q m.bayes second.csv | jq -c '[.rows, .total, .classes, .loo.n, (.seconds >= 0)]'
    ilk update --json --loo none -q m.bayes second.csv | jq -c '[.rows, .total, .loo]'
    ilk forget --json -q m.bayes second.csv | jq -c '[.rows, .total, .classes]'
fi

# Refused: one line, and the model as it was.
cp first.bayes m.bayes
refused() { fails "$@"; cmp m.bayes first.bayes; }
part 2,3 | sed 's/Hot/Hot,more/' >bad.csv
train --slim first.csv -o slim.bayes
ilk train -q --target PlayTennis first.csv --model table -o other.bayes
part 9,10 | sed 's/No$/Perhaps/; s/Yes$/Perhaps/' >third.csv
refused ilk update m.bayes bad.csv
refused ilk update m.bayes nothing.csv
refused ilk update nothing.bayes second.csv
refused ilk update slim.bayes second.csv
refused ilk update m.bayes
refused ilk update second.csv m.bayes
refused ilk update /dev/null second.csv
refused ilk update m.bayes <(cut -d, -f1-4 second.csv)
refused ilk update --smooth 2 m.bayes second.csv
refused ilk forget m.bayes second.csv
refused ilk forget m.bayes third.csv
refused ilk forget m.bayes bad.csv
refused ilk forget m.bayes first.csv
refused ilk forget m.bayes
refused ilk forget m.bayes --class Perhaps
refused ilk forget m.bayes --class Yes
refused ilk forget m.bayes --class Yes second.csv
refused ilk forget m.bayes --class Yes --shard second.bayes
refused ilk forget m.bayes --shard second.bayes
refused ilk forget m.bayes --shard other.bayes
refused ilk forget m.bayes --shard slim.bayes
refused ilk forget m.bayes --shard none.bayes
train --prior Yes=0.5,No=0.5 first.csv -o given.bayes
fails ilk update given.bayes third.csv
ilk update -q --bad-rows skip m.bayes bad.csv second.csv 2>&1
ilk forget m.bayes <(part 4,4) --bad-rows skip 2>&1
