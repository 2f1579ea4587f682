# SPDX-License-Identifier: Apache-2.0
#
# Where options may stand, and that what they choose is what the model holds.
. "$TESTS/cli/common.bash"
needs jq
data=$EXAMPLES/playtennis.csv
ilk train -q "$data" --target PlayTennis --smooth 2 -o 1.bayes
ilk train --smooth=2 -o2.bayes --target=PlayTennis -q "$data"
ilk train -qo 3.bayes --smooth 5 --smooth 2 --target 6 -- "$data"
cmp 1.bayes 2.bayes && cmp 1.bayes 3.bayes && echo same bytes
cp "$data" ./-data.csv
ilk train -q --smooth 2 --target PlayTennis -o 4.bayes -- -data.csv
cmp 1.bayes 4.bayes && echo same bytes
run ilk train --json -q "$data" --target PlayTennis -o 1.bayes | valid

shown() { ilk inspect --csv "$1" | grep -E "$2" | cut -d, -f1,3-8 | rounded; }
for prior in empirical uniform smoothed; do
    ilk train -q --prior $prior --target PlayTennis "$data" -o m.bayes
    echo "prior $prior"
    shown m.bayes '^prior'
done
printf 'x,z,y\n1,1,a\n2,3,a\n4,2,a\n8,1,b\n9,4,b\n' >xy.csv
for divisor in n n-k n-1; do
    for model in nb gda qda; do
        ilk train -q --model $model --family x=$([ $model = nb ] && echo gaussian || echo $model) --ignore z \
            --divisor $divisor xy.csv -o m.bayes
        echo "divisor $divisor, $model"
        shown m.bayes '^(variance|Sigma)'
    done
done
printf 'spam\tWin Win a prize\nham\twin the game\nham\tthe prize\n' >text.tsv
words() {
    ilk train -q --format lines "$@" text.tsv -o m.bayes
    ilk inspect --csv m.bayes | grep ^phi | cut -d, -f4 | sort -u | paste -sd' '
}
run words
run words --keep-case
run words --tokens chars
run words --ngrams 1-2
run words --min-docs 2
run words --vocab 2
ilk train -q --unseen error --target PlayTennis "$data" -o m.bayes
fails ilk predict m.bayes - <<<$'Outlook,Temperature,Humidity,Wind\nFoggy,Cool,High,Strong'
printf '1,2,a\n2,-,b\n3,1,a\n4,1,b\n5,-,b\n' >bare.csv
run ilk train --na - --no-header --family 1=gaussian --family 2=gaussian bare.csv -o m.bayes
run ilk predict m.bayes bare.csv | rounded
run ilk eval m.bayes bare.csv

# Switches that contradict each other.
fails ilk train --header --no-header x.csv -o m.bayes
fails ilk predict --no-header --header m.bayes x.csv
ilk help --man --man | head -n 1
