# SPDX-License-Identifier: Apache-2.0
#
# A model exported as C is compiled and must say what ilk says; one exported as JSON is scored by jq.
. "$TESTS/cli/common.bash"
needs cc
awk 'BEGIN { srand(11); split("red green blue", colour, " ")
    for (i = 0; i < 240; i++) { k = i % 3
        printf "%.5f,%.5f,%.5f,%d,%s,%s,%s,c%d\n", k + 2 * rand(), rand() * rand() * (k + 1), 1e3 * (k + rand()),
            int(rand() * 4 * (k + 1)), colour[1 + int(rand() * (3 - k / 2))], rand() < .3 + .2 * k ? "yes" : "no",
            (rand() < .5 ? "sun " : "rain ") (rand() < .2 + .3 * k ? "wind wind" : "snow hail") \
                (rand() < .5 ? " fog" : ""), k } }' >rows
cut_columns() {     # HEADER FIELDS: a table of some of the columns, and one to predict with holes and strangers in it
    { echo "$1"; cut -d, -f"$2" rows; } >train.csv
    { echo "$1"; cut -d, -f"$2" rows | head -n 60
      cut -d, -f"$2" rows | awk -F, -v OFS=, 'NR <= 60 { $(1 + NR % (NF - 1)) = ""; print }'
      cut -d, -f"$2" rows | head -n 30 | sed 's/red/pink/g; s/yes/perhaps/; s/fog/smog smog/'; } >test.csv
}
compare() {     # REALS CODES TEXTS OPTIONS...: train, export, compile, compare
    local reals=$1 codes=$2 texts=$3
    shift 3
    ilk train -q --target y "$@" train.csv -o m.bayes || return
    ilk export m.bayes --to c >model.c || return
    cc -std=gnu17 -O1 -Wall -Wextra -Werror -DREALS=$reals -DCODES=$codes -DTEXTS=$texts -I. \
        "$TESTS/cli/export_main.c" -o score -lm || return
    cc -std=c17 -pedantic -Wall -Wextra -Werror -c model.c -o model.o || return
    tail -n +2 test.csv | ./score >mine || echo "exit $?"
    ilk predict -q --bad-rows skip --posterior m.bayes test.csv | tail -n +2 | sed 's/^,.*/refused/' >theirs
    if [ "$refuses" = no ]; then sed -i 's/^refused$/,,,,/' theirs; fi
    [ "$few" = yes ] || [ "$(sort -u mine | wc -l)" -gt 5 ] || echo "too few different answers to compare"
    near mine theirs && echo "[$*] $(wc -l <mine) rows alike"
}
refuses=no few=no
cut_columns a,b,c,n,y 1-4,8
compare 4 0 0 --family n=gaussian
compare 4 0 0 --family n=poisson --prior c0=0.7 --divisor n-1
compare 4 0 0 --family n=negative-binomial --family a=gaussian-shared --family b=gaussian-shared
for table in train test; do     # counts so many that sums of their logarithms have no digits to spare
    cp $table.csv $table.few
    awk -F, -v OFS=, 'NR > 1 && $4 != "" { $4 = 1e12 * ($4 + 10) } 1' CONVFMT=%.0f $table.few >$table.csv
done
compare 4 0 0 --family n=negative-binomial
for table in train test; do mv $table.few $table.csv; done
compare 4 0 0 --family n=gaussian --model gda
compare 4 0 0 --family n=gda --family a=gda --family b=gda --family c=gaussian --shrink 0.2
compare 4 0 0 --family n=poisson --model qda --shrink oas
sed -i '2,$s/^[^,]*,/7,/' train.csv        # a column that never varies
compare 4 0 0 --family a=gda --family b=gda --family c=gda --family n=poisson

# Transforms: the function takes numbers as they are, those of bins behind the others.
cut_columns a,b,c,n,y 1-4,8
compare 4 0 0 --family n=gaussian --transform a=boxcox --transform b=log --transform c=yeo-johnson
compare 4 0 0 --model gda --family n=gda --transform '*=yeo-johnson'
{ echo a,c,n,y; awk -F, -v OFS=, 'NR > 1 { print $1 - 2, $3 - 1500, $4, $5 }' train.csv; } >moved.csv
{ echo a,c,n,y; awk -F, -v OFS=, 'NR > 1 { print $1 == "" ? "" : $1 - 2, $3 == "" ? "" : $3 - 1500, $4, $5 }' test.csv
  } >test.moved && mv moved.csv train.csv && mv test.moved test.csv
compare 3 0 0 --model qda --family n=gaussian --transform a=yeo-johnson --transform c=yeo-johnson
compare 3 0 0 --family a=gaussian --transform c=yeo-johnson --bins n=1,2,10     # 10 sorts before 2
compare 3 0 0 --bins '*=quantile:4' --bins n=2,5 --unseen unknown
compare 3 0 0 --bins a=bins:3 --bins c=mdlp --bins n=width:3 --model table
compare 3 0 0 --bins a=bins:3 --bins c=mdlp --bins n=width:3 --model table --unseen unknown
printf 'a,c,n,y\n-1,2,0,c0\n0,2,1,c1\n3,,2,c2\n' >test.csv      # what cannot be transformed is refused
sed -i '2,$s/^-//' train.csv
refuses=yes few=yes
compare 3 0 0 --transform a=boxcox --family n=gaussian
refuses=no few=no

cut_columns u,v,y 5,6,8
compare 0 2 0
compare 0 2 0 --smooth 0
compare 0 2 0 --unseen unknown --smooth 0.3
compare 0 2 0 --model table
compare 0 2 0 --model table --unseen unknown
compare 0 2 0 --model table --smooth 0
refuses=yes
compare 0 2 0 --unseen error
compare 0 2 0 --model table --unseen error
refuses=no
sed -i '2,$s/^[^,]*,/,/' train.csv         # a column that has no value, but room for some
few=yes
compare 0 2 0 --unseen unknown --family u=categorical
few=no
cut_columns t,y 7,8
for model in multinomial bernoulli complement; do
    compare 0 0 1 --text t --model $model --tokens whitespace
    compare 0 0 1 --text t --model $model --tokens whitespace --unseen unknown --vocab 4
done
compare 0 0 1 --text t --model bernoulli --smooth 0 --tokens whitespace
for weight in --binary --log-counts --unit-length '--log-counts --unit-length' '--binary --unit-length'; do
    compare 0 0 1 --text t --model multinomial --tokens whitespace $weight
    compare 0 0 1 --text t --model multinomial --tokens whitespace $weight --unseen unknown --vocab 4
    compare 0 0 1 --text t --model complement --tokens whitespace $weight --unseen unknown
    compare 0 0 1 --text t --model bernoulli --tokens whitespace $weight --unseen unknown --vocab 4
done
refuses=yes
compare 0 0 1 --text t --model multinomial --unseen error --tokens whitespace
refuses=no
cut_columns a,b,c,n,u,v,t,y 1-8
compare 4 2 1 --family n=poisson --family a=gda --family b=gda --family u=table --family v=categorical --text t \
    --tokens whitespace
compare 4 2 1 --family n=negative-binomial --text t --tokens whitespace --family t=complement

# Odd names in strings and comments of C.
printf 'x*/y,"c\\",k\n1,"a""??/",p*/\n2,"\\n,",q\n3,"é",p*/\n' >odd.csv
ilk train -q --family 1=gaussian --family 2=categorical odd.csv -o odd.bayes
ilk export odd.bayes --to c --name odd_1 >odd.c
cc -std=c17 -pedantic -Wall -Wextra -Werror -c odd.c -o odd.o && echo compiled
grep -c odd_1_predict odd.c
# A name of any length is written whole.
{ echo n,y; cut -d, -f4,8 rows; } >counts.csv
ilk train -q --family n=negative-binomial counts.csv -o counts.bayes
for length in 70 2000; do
    long=$(printf "%${length}s" '' | tr ' ' n)
    ilk export counts.bayes --to c --name "$long" >long.c
    cc -std=c17 -pedantic -Wall -Wextra -Werror -c long.c -o long.o && echo "compiled, $length"
    sed "s/$long/model/g" long.c | cmp - <(ilk export counts.bayes --to c)
done

# JSON: the notes' example, by jq alone, and a Gaussian of two columns.
if command -v jq >/dev/null; then
    ilk train -q --target PlayTennis --ignore Day --smooth 0 "$EXAMPLES/playtennis.csv" -o tennis.bayes
    ilk export tennis.bayes --to json | tee tennis.json | head -n 3
    jq -c '. as $m | {Outlook: "Sunny", Temperature: "Cool", Humidity: "High", Wind: "Strong"} as $row
        | [range(.classes | length) as $k | $m.log_prior[$k] + ([$m.parameters[]
            | select(.quantity == "phi" and $row[.column] == .key) | .values[$k] | log] | add)]
            | map(exp * 1e4 | round / 1e4)' tennis.json
    cut_columns a,b,y 1,2,8
    ilk train -q --model gda train.csv -o gda.bayes
    ilk export gda.bayes --to json >gda.json
    tail -n +2 test.csv | head -n 60 | jq -R -r --slurpfile m gda.json '$m[0] as $m | split(",") as $x
        | ($x[0] | tonumber) as $a | ($x[1] | tonumber) as $b
        | ([$m.parameters[] | select(.quantity == "mu")]) as $mu
        | ([$m.parameters[] | select(.quantity == "Sigma")] | map({key: (.column + .key), value: .value})
            | from_entries) as $S
        | ($S.aa * $S.bb - $S.ab * $S.ab) as $det
        | [range($m.classes | length) as $k | ($a - $mu[0].values[$k]) as $u | ($b - $mu[1].values[$k]) as $v
            | $m.log_prior[$k] - 0.5 * ($u * $u * $S.bb - 2 * $u * $v * $S.ab + $v * $v * $S.aa) / $det
              - 0.5 * ($det | log) - 1.8378770664093453] | @csv' >mine
    ilk predict -q --log-joint gda.bayes test.csv | sed -n 2,61p | cut -d, -f3- >theirs
    near mine theirs && echo "$(wc -l <mine) log-joints alike"
    for kind in multinomial complement; do
        cut_columns t,y 7,8
        ilk train -q --text t --model $kind train.csv -o t.bayes
        ilk export t.bayes --to json | jq -c '[.columns[0].tokens, .log_prior[0], (.parameters | length)]' | rounded
    done
fi
# Numbers so large or small that their squares are no doubles: predict knows, an export would not. Nor is a column lost
# that never varies, or one whose square is still one.
scaled() {     # EXPONENT OPTIONS...: the rows' third column, as multiples of 10^EXPONENT, and one that never varies
    { echo x,same,y; awk -F, -v e="$1" -v OFS=, '{ print $3 "e" e, 7, $8 }' rows; } >train.csv
    ilk train -q "${@:2}" train.csv -o scaled.bayes
    ilk predict -q scaled.bayes train.csv | cut -d, -f1 | sort | uniq -c | xargs
}
for model in gaussian gaussian-shared gda qda; do
    for exponent in -166 152; do
        scaled $exponent --model $model
        for to in c json; do fails ilk export scaled.bayes --to $to; done
    done
done
for exponent in -148 150; do
    scaled $exponent --model gaussian
    cp train.csv test.csv
    compare 1 1 0 --model gaussian
    compare 1 1 0 --model gda
done

fails ilk export tennis.bayes
fails ilk export tennis.bayes --to xml
fails ilk export tennis.bayes --to c --name '1x'
fails ilk export none.bayes --to c
