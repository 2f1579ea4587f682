# SPDX-License-Identifier: Apache-2.0
#
# ARFF: types and declared values, quotes, comments, sparse rows; and what is wrong with one, in one line.
. "$TESTS/cli/common.bash"
cat >mood.arff <<'END'
% A comment.
@RELATION mood

@attribute 'the outlook' {sunny, overcast, 'light rain', "never seen"}
@attribute temperature NUMERIC
@attribute remark	string
@attribute mood {good,bad}   % the class
@data
sunny,25.5,'a \'quoted\' word',good
'light rain' 11 ? bad
overcast, ?, "x", good
% another
{0 overcast, 1 9, 3 bad}
{1 30}
sunny,24,x,good
?,10,y,bad
END
run ilk train mood.arff -o m.bayes 2>&1 | sed '/rows\/s/d'
# K_j counts the value that never came: light rain 1 of 2 bad ones, (1 + 1) / (2 + 4).
run ilk inspect --csv m.bayes | grep '^phi'
run ilk predict --keep all m.bayes mood.arff | rounded
ilk predict m.bayes - <mood.arff | cmp - <(ilk predict m.bayes mood.arff) && echo 'known by its content'
cat mood.arff mood.arff | fails ilk train --format arff - -o new.bayes
ilk train -q mood.arff mood.arff -o two.bayes && ilk inspect --csv two.bayes | grep '^prior'
sed 's/25.5/warm/' mood.arff >word.arff
sed 's/^sunny,24/sunnny,24/' mood.arff >value.arff
sed 's/^sunny,24,x/sunny,24/' mood.arff >ragged.arff
sed "s/^{1 30}/{1 30, 0 sunny}/" mood.arff >order.arff
sed "s/^{1 30}/{1 30/" mood.arff >brace.arff
sed "s/^{1 30}/{9 30}/" mood.arff >index.arff
sed "s/'light rain' 11/'light rain 11/" mood.arff >quote.arff
sed 's/string/relational/' mood.arff >relational.arff
sed 's/good,bad}/good,good}/' mood.arff >twice.arff
sed 's/temperature NUM/remark NUM/' mood.arff >twins.arff
sed '/@data/,$d' mood.arff >endless.arff
sed '/@data/q' mood.arff >header.arff
sed '/@attribute/d' mood.arff >none.arff
sed 's/{good,bad}.*/numeric/; s/good$/1.5/; s/bad$/2.25/; s/bad}$/2.25}/' mood.arff >measure.arff
sed 's/@data/@dada/' mood.arff >keyword.arff
: >empty.arff
head -c 2000 "$ILK" >binary.arff
for data in word value ragged order brace index quote relational twice twins endless header none measure keyword \
    empty binary; do
    fails ilk train $data.arff -o new.bayes
done
fails ilk train mood.arff value.arff -o new.bayes
sed 's/sunny, overcast/sunny, cloudy/; s/overcast/cloudy/' mood.arff >other.arff
fails ilk train mood.arff other.arff -o new.bayes
run ilk train --bad-rows skip value.arff -o skipped.bayes 2>&1 | grep -A1 'row skipped'
sed 's/temperature/temprature/' mood.arff >slip.arff
fails ilk predict m.bayes slip.arff
printf '%s' "$(cat mood.arff)" >cut.arff
ilk predict m.bayes cut.arff | cmp - <(ilk predict m.bayes mood.arff) && echo 'no line end is no harm'

# Dates are strings. A question mark is no value, in quotes one only where no spelling of it is.
cat >dates.arff <<'END'
@relation dates
@attribute when date "yyyy-MM-dd HH:mm:ss"
@attribute c {'?',a,'b c'}
@attribute class {p,q}
@data
"2001-04-03 12:12:12",'?',p
"2001-04-03 12:12:12",a,q
?,?,p
"2001-05-03 12:12:12",'b c',q
END
for na in '?' ''; do
    run ilk train --loo none --na "$na" dates.arff -o dates.bayes 2>&1 | sed '/rows\/s/d'
    ilk inspect --csv dates.bayes | grep '^phi'
done

# A word in a column of numbers, long after the look-ahead was over.
awk 'BEGIN {
    print "@relation late\n@attribute x real\n@attribute class {a,b}\n@data"
    for (i = 0; i < 70000; i++) print i * 1.5 "," (i % 2 ? "a" : "b")
    print "oops,a"
}' >late.arff
fails ilk train late.arff -o new.bayes
run ilk train --bad-rows skip late.arff -o skipped.bayes 2>&1 | grep -A1 'row skipped'
for threads in 1 2 5; do ilk train -q --bad-rows skip --threads $threads late.arff -o late.bayes; cksum <late.bayes; done | sort -u | wc -l
