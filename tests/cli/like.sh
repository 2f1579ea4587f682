# SPDX-License-Identifier: Apache-2.0
#
# Shards: --like takes columns, transforms and words from a model, --passes 2 learns these from all rows.
. "$TESTS/cli/common.bash"
awk 'BEGIN {
    print "id,size,colour,note,kind"
    s = 7
    for (i = 0; i < 3000; i++) {
        s = (s * 16807) % 2147483647; k = s % 3
        s = (s * 16807) % 2147483647; size = 10 * k + s % 40 + 0.5
        s = (s * 16807) % 2147483647
        printf "r%d,%s,%s,%s,%s\n", i, i % 50 ? size : "none", substr("redblugrn", 1 + 3 * (s % 3), 3),
               "it came on day " s % 7 " and left again", substr("abc", 1 + k, 1)
    }
}' >all.csv
reading=(--na none)

# The first rows and all rows differ in what they say; every shard is read like the first model.
run ilk train "${reading[@]}" --bins size=quantile:4 --target kind -o first.bayes <(head -n 200 all.csv) 2>&1 |
    grep note
run ilk train "${reading[@]}" --bins size=quantile:4 --target kind --passes 2 -o all.bayes all.csv 2>&1 | grep note
run ilk train -q --like all.bayes -o again.bayes all.csv
cmp all.bayes again.bayes && echo same bytes

# Shards: by class (each lacks one), by colour (each lacks the others), and small ones.
shard() { local out=$1; shift; { head -n 1 all.csv; tail -n +2 all.csv | awk -F, "$@"; } >$out.csv; }
shard 1 '$5 != "a" && $3 == "red"'
shard 2 '$5 != "b" && $3 == "red"'
shard 3 '$5 == "a" && $3 == "red" { next } $5 == "c" && $3 == "red" { next } $5 == "b" && $3 == "red" { next }
    { print }'
shard 4 '$5 == "b" && $3 == "red" { next } $5 == "a" && $3 == "red" { next } $5 != "c" || $3 != "red" { next }
    { print }'
shard low 'NR % 3 == 0'
shard middle 'NR % 3 == 1 && $2 < 40'
shard high 'NR % 3 == 1 && $2 >= 40'
shard rest 'NR % 3 == 2'
parts=()
for part in low middle high rest; do
    ilk train -q --like all.bayes -o $part.bayes $part.csv
    parts+=($part.bayes)
done
tail -q -n +2 low.csv middle.csv high.csv rest.csv | sort | cmp - <(tail -n +2 all.csv | sort) &&
    echo every row in one shard
run ilk merge -q -o merged.bayes "${parts[@]}"
cmp merged.bayes all.bayes && echo same bytes
for part in 1 3; do ilk train -q --like all.bayes -o $part.bayes $part.csv; done
run ilk train -q --like all.bayes -o red.bayes 1.csv 3.csv
run ilk merge -q -o red-merged.bayes 1.bayes 3.bayes
cmp red.bayes red-merged.bayes && echo same bytes
run ilk inspect red.bayes | sed -n '/phi of colour/,/^$/p'

# A column that changes its mind behind the first 65,536 rows.
awk 'BEGIN { OFS = ","; print "x", "y"
    for (i = 0; i < 70000; i++) print (i < 69000 ? i % 3 : i / 7), i % 2 ? "p" : "q" }' >late.csv
run ilk train -o late.bayes late.csv 2>&1 | grep -e gaussian -e categorical
run ilk train --passes 2 -o late.bayes late.csv 2>&1 | grep -e gaussian -e categorical
run ilk train --bins x=bins:2 -o late.bayes late.csv 2>&1 | grep note
run ilk train --bins x=bins:2 --passes 2 -o late.bayes late.csv 2>&1 | grep note

# A column of numbers that turns out to be an identifier in a later file.
identified() { awk -v id="$1" 'BEGIN { print "id,x,class"; for (i = 0; i < 40; i++) print id i ".5," i % 9 "," (i % 2 ? "a" : "b") }'; }
identified "" >early.csv
identified k >later.csv
run ilk train --passes 2 --loo none early.csv later.csv -o ids.bayes 2>&1 | grep id

# The second reading of --loo all is as the first: in the encoding of the model, and with its idea of a header.
awk 'BEGIN { srand(2); split("café naïve über señor garçon crème", w, " ")
    for (i = 0; i < 100; i++) { printf "%s\t", i % 2 ? "a" : "b"
        for (j = 0; j < 9; j++) printf "plain words go here "
        print w[1 + i % 2 * 3 + int(rand() * 3)] } }' | iconv -f UTF-8 -t LATIN1 >accents.txt
run ilk train -q --format lines --encoding latin1 accents.txt -o accents.bayes
for loo in auto all; do
    run ilk train --format lines --like accents.bayes --loo $loo accents.txt -o more.bayes 2>&1 | grep leave-one-out
done
printf 'a,b,y\nu,v,p\nv,u,q\nu,u,p\nv,v,q\n' >named.csv
printf 'a,b,y\nb,a,p\na,a,q\nb,b,p\na,b,y\n' >odd.csv
run ilk train -q named.csv -o named.bayes
run ilk train --like named.bayes --loo all odd.csv -o more.bayes 2>&1 | grep leave-one-out

# A part whose text holds no word has rows all the same, also weighed ones: it is added, and taken away.
printf 'y,w,t\nham,1,hi cash\nspam,1,cash cash\n' >words.csv
printf 'y,w,t\nham,1,!!!\n' >wordless.csv
{ cat words.csv; tail -n +2 wordless.csv; } >both.csv
for model in bernoulli multinomial; do
    ilk train -q --header --weights w --target y --text t --model $model words.csv -o words.bayes
    ilk train -q --like words.bayes --stats-only wordless.csv -o wordless.stats
    ilk train -q --like words.bayes both.csv -o both.bayes
    ilk merge -q -o merged.bayes words.bayes wordless.stats
    cmp merged.bayes both.bayes && echo "$model: same bytes"
    ilk forget -q both.bayes wordless.csv
    ilk forget -q merged.bayes --shard wordless.stats
    cmp both.bayes words.bayes && cmp merged.bayes words.bayes && echo "$model: as before"
done

echo "# Refused"
fails ilk train --passes 2 -o bad.bayes - <late.csv
fails ilk train --passes 3 -o bad.bayes late.csv
mkfifo pipe; cat late.csv >pipe & fails ilk train --passes 2 -o bad.bayes pipe; kill $! 2>/dev/null; wait 2>/dev/null
fails ilk train --like nowhere.bayes -o bad.bayes all.csv
fails ilk train --like all.bayes -o bad.bayes late.csv
# also where it would be so anyway
for option in '--target kind' '--model gda' '--bins size=mdlp' '--passes 2' '--na none' '--ngrams 1-2' \
    '--family size=gaussian' '--ignore id' '--weights size' '--text note' '--transform size=log' '--keep-case' \
    '--stop absent.txt' '--dictionary absent.txt' '--binary' '--log-counts' '--unit-length' \
    '--model auto' '--passes 1' '--tokens words' '--ngrams 1-1'; do
    fails ilk train --like all.bayes $option -o bad.bayes all.csv
done
