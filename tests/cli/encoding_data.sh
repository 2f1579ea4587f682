# SPDX-License-Identifier: Apache-2.0
#
# Real Chinese text is never taken for another encoding than it is said to be in, whole or in pieces of a few lines, and
# all of it in one that it is not.
. "$TESTS/cli/common.bash"
needs iconv
titles=$("$TESTS/data.sh" thucnews_titles) || exit 77
hotels=$("$TESTS/data.sh" chnsenticorp_htl) || exit 77
meals=$("$TESTS/data.sh" waimai_10k) || exit 77
awk -F '\t' '{ print $2 "\t" $1 }' "$titles/dev.txt" >titles.txt
sed -n 's/^\([01]\),/\1\t/p' "$hotels"/*.csv >hotels.txt
sed -n 's/^\([01]\),/\1\t/p' "$meals"/*.csv >meals.txt
for name in titles hotels meals; do
    for encoding in gb18030 big5; do
        other=$([ $encoding = big5 ] && echo gb18030 || echo big5)
        iconv -c -f UTF-8 -t $encoding $name.txt >whole # Big5 has traditional characters only; the rest is left out
        ilk train -q --loo none --format lines --encoding $encoding whole -o $encoding.bayes
        ilk train -q --loo none --format lines --encoding $other whole -o wrong.bayes
        ilk train -q --loo none --format lines --encoding $encoding $name.txt -o wrong.bayes
        for lines in 3 10 100; do
            mkdir pieces
            head -n 1500 whole | split -a 3 -l $lines - pieces/
            echo "$name, $encoding, by $lines: $(ilk predict $encoding.bayes pieces/* | wc -l) lines of answers"
            rm -r pieces
        done
    done
done
ls wrong.bayes 2>/dev/null
true
