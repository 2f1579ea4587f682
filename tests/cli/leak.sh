# SPDX-License-Identifier: Apache-2.0
#
# Where there is nothing to learn, no figure says that there is: not that of held-out rows, and not leave-one-out. But
# bins that were cut by the classes of the rows make leave-one-out too good, which the report says.
. "$TESTS/cli/common.bash"
noise() {   # SEED WHAT: 400 rows of 2,000 columns and a class, all by chance
    awk -v seed="$1" -v what="$2" 'BEGIN { srand(seed); d = 2000
        for (j = 1; j <= d; j++) printf "c%d,", j
        print "class"
        for (i = 0; i < 400; i++) {
            for (j = 1; j <= d; j++)
                if (what == "numbers") printf "%.3f,", rand(); else printf "%s,", substr("uvw", 1 + int(3 * rand()), 1)
            print rand() < .5 ? "p" : "q" } }'
}
chance() {  # ACCURACY: within 3.5 standard errors of 1/2
    awk -v a="$1" 'BEGIN { print a != "" && (a - .5) ^ 2 <= 3.5 ^ 2 * .25 / 400 ? "chance" : "accuracy " a }'
}
loo() { sed -n 's/.*"loo":{"n":400,"accuracy":\([0-9.e-]*\).*/\1/p' "$1"; }
held_out() { ilk eval -q --json "$1" "$2" | sed -n 's/.*"accuracy":\([0-9.e-]*\).*/\1/p'; }
for what in numbers categories; do
    noise 1 $what >seen.csv
    noise 2 $what >other.csv
    ilk train -q --json seen.csv -o m.bayes >report.json
    echo "$what: leave-one-out $(chance "$(loo report.json)"), held out $(chance "$(held_out m.bayes other.csv)")"
    awk -v a="$(held_out m.bayes seen.csv)" 'BEGIN { print (a > .9 ? "learnt by heart" : "accuracy " a) }'
    if [ $what = numbers ]; then mv seen.csv numbers.csv; mv other.csv others.csv; fi
done

ilk train --json --bins '*=mdlp' numbers.csv -o bins.bayes 2>report >report.json
grep -A1 '^leave-one-out' report | sed 's/[0-9]\.[0-9]* +\/- [0-9.]*/N/g'
grep -o '"optimistic":"[^"]*"' report.json
echo "held out $(chance "$(held_out bins.bayes others.csv)")"
# Said only where it is so: not of bins cut otherwise, nor where no cut pays.
printf 'x,z,class\n' >plain.csv
awk 'BEGIN { for (i = 0; i < 100; i++) print i * 37 % 101 / 2 "," i % 50 + .5 "," (i % 50 < 25 ? "p" : "q") }' \
    >>plain.csv
set -f
for options in '--bins *=quantile:4' '--bins x=quantile:4 --bins z=mdlp' '--bins x=mdlp --bins z=quantile:4' \
    '--bins 2=mdlp'; do
    echo "[$options] $(ilk train $options plain.csv -o m.bayes 2>&1 | grep -c 'by the classes of these rows')"
done
