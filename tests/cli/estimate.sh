# SPDX-License-Identifier: Apache-2.0
#
# Estimating anew from the statistics in a model file is training with these options, to the byte.
. "$TESTS/cli/common.bash"

# Words, categories and numbers; as counts only, and as Gaussians.
awk 'BEGIN {
    print "colour,note,x,z,count,class"
    s = 7
    for (i = 0; i < 300; i++) {
        for (j = 0; j < 9; j++) { s = (s * 16807) % 2147483647; u[j] = s / 2147483647 }
        c = i % 3
        note = ""
        for (j = 3; j < 9; j++) note = note " w" int(u[j] * u[j] * (20 + 5 * c))
        printf "%s,%s,%.4f,%.4f,%d,%s\n", substr("rgbky", 1 + int(u[0] * (3 + c)), 1), substr(note, 2),
            u[1] + c / 3, u[1] * u[2] - c / 4, int(9 * u[0] * u[1]) + c, substr("abc", c + 1, 1)
    }
}' >data.csv

# as WAY ARGUMENTS...: train the way the columns are meant to be modelled.
as() {
    local way=$1
    shift
    case $way in
        text) ilk train -q --model multinomial "$@" ;;
        mixed) ilk train -q --text note --family x=gaussian --family z=gaussian --family count=poisson "$@" ;;
        gda) ilk train -q --text note --model gda --family count=gda "$@" ;;
    esac
}

# gda WORDS...: those words where there is a covariance to shrink.
gda() { [ $way != gda ] || echo "$@"; }

# same WAY OPTIONS...: from a plain model, and from one where everything was chosen otherwise.
all="--smooth 1 --prior empirical --divisor n --vocab 0 --min-docs 1 --unseen ignore"
compared=0
same() {
    local way=$1 from
    shift
    as "$way" "$@" data.csv -o fresh.bayes
    for from in plain other; do
        ilk estimate -q $from.$way.bayes $([ $from = plain ] || echo $all $(gda --shrink none)) "$@" -o again.bayes
        cmp fresh.bayes again.bayes && compared=$((compared + 1))
    done
}
for way in text mixed gda; do
    as $way data.csv -o plain.$way.bayes
    as $way data.csv --smooth 0.3 --prior a=0.6,b=0.1 $(gda --shrink 0.25) --divisor n-1 --vocab 9 \
        --min-docs 4 --unseen error -o other.$way.bayes
    same $way
    same $way --smooth 0
    same $way --smooth 0.125
    same $way --prior uniform
    same $way --prior smoothed
    same $way --prior b=0.7
    same $way --prior b=0.7,a=0.2,c=0.1
    same $way --divisor n-k
    same $way --divisor n-1
    same $way --vocab 10
    same $way --min-docs 5
    same $way --unseen unknown
    same $way --unseen error
    same $way --slim --smooth 2
    same $way --smooth 0.01 --prior c=0.5 $(gda --shrink 0.1) --divisor n-k --vocab 12 --min-docs 2 \
        --unseen unknown
done
same gda --shrink oas
same gda --shrink 0.5
echo "$compared of $((3 * 15 * 2 + 4)) models are the same"

# What is not said stays as it was, a given prior too.
ilk estimate -q other.text.bayes --vocab 10 -o again.bayes
ilk train -q --model multinomial data.csv --smooth 0.3 --prior a=0.6,b=0.1 --divisor n-1 --vocab 10 \
    --min-docs 4 --unseen error -o fresh.bayes
cmp fresh.bayes again.bayes && echo the rest stays

# Another family with the same statistics.
for event in bernoulli complement multinomial; do
    ilk estimate -q plain.text.bayes --model $event -o $event.bayes
    ilk train -q --model $event data.csv -o fresh.bayes
    cmp fresh.bayes $event.bayes && echo $event
    ilk estimate -q $event.bayes --model multinomial -o back.bayes
    cmp plain.text.bayes back.bayes
done
only() { ilk train -q --ignore colour,note,count "$@" data.csv; }
only --model gda -o gda.bayes
only --model qda -o qda.bayes
only --family x=gaussian-shared --family z=gaussian-shared -o shared.bayes
only --family x=gaussian --family z=gaussian -o own.bayes
ilk estimate -q gda.bayes --model qda -o again.bayes && cmp qda.bayes again.bayes && echo qda
ilk estimate -q qda.bayes --model gda -o again.bayes && cmp gda.bayes again.bayes && echo gda
ilk estimate -q own.bayes --model gaussian-shared -o again.bayes && cmp shared.bayes again.bayes && echo gaussian-shared
ilk estimate -q shared.bayes --model gaussian -o again.bayes && cmp own.bayes again.bayes && echo gaussian

# In place, and the report.
cp own.bayes place.bayes
run ilk estimate place.bayes --smooth 3 --prior uniform -o place.bayes 2>&1
ilk inspect --json place.bayes | grep -o '"options":{[^}]*}'

fails ilk estimate own.bayes --smooth loo -o none.bayes
fails ilk estimate gda.bayes --shrink loo-accuracy -o none.bayes
fails ilk estimate own.bayes --smooth 2
fails ilk estimate -o none.bayes
fails ilk estimate own.bayes gda.bayes -o none.bayes
fails ilk estimate own.bayes --prior d=0.5 -o none.bayes
fails ilk estimate own.bayes --model gausian -o none.bayes
fails ilk estimate own.bayes --model bernoulli -o none.bayes
fails ilk estimate plain.text.bayes --model categorical -o none.bayes
fails ilk estimate own.bayes --model gda -o none.bayes
fails ilk estimate own.bayes --target x -o none.bayes
fails ilk estimate plain.text.bayes --min-docs 9999 -o none.bayes
fails ilk estimate data.csv -o none.bayes
ilk train -q --slim data.csv -o slim.bayes
fails ilk estimate slim.bayes --smooth 2 -o none.bayes
