# SPDX-License-Identifier: Apache-2.0
#
# Drawing rows, and learning them again.
. "$TESTS/cli/common.bash"
ilk train -q --target PlayTennis "$EXAMPLES/playtennis.csv" -o tennis.bayes
run ilk sample tennis.bayes -n 3
run ilk sample --json -n 2 --seed 5 tennis.bayes
ilk sample tennis.bayes | tail -n +2 | wc -l
cmp <(ilk sample -n 5 tennis.bayes) <(ilk sample -n 300 tennis.bayes | head -n 6) &&
    echo "fewer rows are the first of more"
ilk sample -n 5 --seed 1 tennis.bayes | cmp -s - <(ilk sample -n 5 tennis.bayes) || echo "another seed, other rows"

# What is learnt from many drawn rows is near to what they were drawn from.
again() {   # MODEL TARGET TOLERANCE OPTIONS...: parameters of the model and of one learnt from its rows
    local model=$1 target=$2 tolerance=$3
    shift 3
    ilk sample -n 40000 --seed 3 "$model" | ilk train -q "$@" --target "$target" -o again.bayes - || return
    # theta repeats the others, magnified; unseen words make dictionaries differ
    near <(ilk inspect --csv "$model" | grep -v ^theta | cut -d, -f1-6) \
        <(ilk inspect --csv again.bayes | grep -v ^theta | cut -d, -f1-6) "$tolerance" && echo "$model again"
}
again tennis.bayes PlayTennis 0.02 --ignore Day
awk 'BEGIN { srand(3); print "a,b,n,c,w,y"; for (i = 0; i < 300; i++) { k = i % 2
    printf "%.4f,%.4f,%d,%s,%d,%s\n", 3 * k + 2 * rand(), rand() - k, int((2 + 3 * k) * rand() * 2),
        rand() < .3 + .4 * k ? "u" : "v", 1 + i % 2, k ? "yes" : "no" } }' >mixed.csv
ilk train -q --weights w --family n=poisson --family c=categorical mixed.csv -o nb.bayes
again nb.bayes y 0.02 --weights w --family n=poisson --family c=categorical
ilk train -q --ignore n,c,w --model gda mixed.csv -o gda.bayes
again gda.bayes y 0.02 --ignore n,c,w --model gda
ilk train -q --ignore n,c,w --model qda mixed.csv -o qda.bayes
again qda.bayes y 0.02 --ignore n,c,w --model qda
ilk train -q --ignore a,b,n,w --model table mixed.csv -o table.bayes
again table.bayes y 0.02 --ignore a,b,n,w --model table
printf 't,y\nwin a prize now,spam\nsee you now,ham\na prize a prize,spam\nlunch at noon,ham\n' >text.csv
for model in multinomial bernoulli; do
    ilk train -q --model $model --text t text.csv -o $model.bayes
    again $model.bayes y 0.05 --model $model --text t
done

# Odd names, values the model has not seen, and what cannot be drawn.
printf '"a,""b",y\nunseen,"x y"\n"p\nq",z\n' >odd.csv
ilk train -q --unseen unknown --family 1=categorical odd.csv -o odd.bayes
ilk sample -n 200 odd.bayes | grep -c '^unseen_,'
{ echo c,y; for ((i = 0; i < 40; i++)); do printf 'unseen%*s,%s\n' $i '' $((i % 2)); done | tr ' ' _; } >taken.csv
ilk train -q --unseen unknown --smooth 9 --family 1=categorical taken.csv -o taken.bayes
ilk sample -n 300 taken.bayes | grep -c "^unseen$(printf _%.0s {1..40}),"
ilk sample -n 200 odd.bayes | ilk train -q --family 1=categorical -o odd2.bayes - &&
    ilk inspect --csv odd2.bayes | grep -c '^phi'
ilk train -q --model complement --text t text.csv -o complement.bayes
fails ilk sample complement.bayes
fails ilk sample text.csv
fails ilk sample
fails ilk sample -n -1 tennis.bayes
run ilk sample -n 0 tennis.bayes
ilk sample -n 1000000 tennis.bayes | head -n 1
ilk sample -n 100000 tennis.bayes >/dev/full; echo "exit $?"

# Every number is in a bin: such a column has no value that is unseen, and what is drawn can be answered.
printf 'x,c\n0.5,a\n1.5,b\n2.5,a\n3.5,b\n0.7,a\n' >bins.csv
ilk train -q --bins x=1,2 --unseen unknown bins.csv -o bins.bayes
ilk sample -n 200 bins.bayes >drawn.csv
run ilk eval --json bins.bayes drawn.csv | grep -o '"n":[0-9]*'
ilk inspect --csv bins.bayes | grep -E 'phi|unseen' | rounded
awk -F, -v OFS=, 'NR == 1 { print "x,z,c"; next } { print $1, NR % 2 ? "p" : "q", $2 }' bins.csv >both.csv
ilk train -q --bins x=1,2 --family x=table --family z=table --unseen unknown both.csv -o both.bayes
ilk sample -n 200 both.bayes >drawn.csv
grep -c '^unseen' drawn.csv
grep -c ',unseen,' drawn.csv
run ilk eval --json both.bayes drawn.csv 2>&1 | grep -o '"n":[0-9]*'

# Seeds have 64 bits.
ilk sample -n 5 --seed 18446744073709551615 tennis.bayes | cmp -s - <(ilk sample -n 5 tennis.bayes) ||
    echo "the last seed"
fails ilk sample --seed 18446744073709551616 tennis.bayes
fails ilk sample --seed 99999999999999999999999 tennis.bayes
fails ilk sample --seed -1 tennis.bayes
