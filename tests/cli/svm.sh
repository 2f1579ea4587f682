# SPDX-License-Identifier: Apache-2.0
#
# svmlight: counts as a bag of indices, other numbers as columns; and what is wrong with a row, in one line.
. "$TESTS/cli/common.bash"
cat >counts.svm <<'END'
# label index:count
1 qid:1 1:3 4:1 # the first
-1 2:2
1 1:1 3:0
-1 2:1 6:2.0
END
run ilk train --model multinomial counts.svm -o m.bayes 2>&1 | sed '/rows\/s/d'
run ilk inspect --csv m.bayes | grep '^phi'
run ilk predict m.bayes counts.svm
sed 's/^-*1 //' counts.svm | ilk predict m.bayes - | cmp - <(ilk predict m.bayes counts.svm) &&
    echo 'labels are not needed'
printf 'label,features\n1,1:3 4:1\n-1,2:2\n' | run ilk predict m.bayes -
ilk train -q --columns 9 counts.svm -o nine.bayes && ilk inspect --csv nine.bayes | grep -c '^phi'

# The parts, merged, know the words of all.
head -n 3 counts.svm >one.svm
tail -n 2 counts.svm >two.svm
for part in one two; do ilk train -q $part.svm -o $part.bayes; done
ilk merge -q one.bayes two.bayes -o both.bayes
ilk train -q counts.svm -o all.bayes
cmp both.bayes all.bayes && echo 'merged is one pass'

sed 's/:3/:0.5/; s/2:1/0:-1 2:1/' counts.svm >numbers.svm
run ilk train numbers.svm -o d.bayes 2>&1 | sed '/rows\/s/d; /leave/d'
run ilk inspect --csv d.bayes | grep '^mu'
printf '1 1:0.5 4:1 99:7\n-1\n' | run ilk predict d.bayes - | rounded
printf '0,1,2,3,4,5,6\n0,0.5,0,0,1,0,0\n' | run ilk predict d.bayes --header - | rounded
run ilk train -q --model gda --shrink 0.5 counts.svm -o g.bayes
run ilk train -q --model poisson --smooth 1 counts.svm -o p.bayes

try() { { cat counts.svm; printf '%s\n' "$1"; } >tried.svm; shift; fails ilk train "$@" tried.svm -o new.bayes; }
try '1 3:1 2:1'
try '1 3:1 3:1'
try '1 x:1'
try '1 3'
try '1 3:x'
try '1 5:0.5' --model bernoulli
try '1 5:4294967296' --model multinomial
try '1 9999999:1'
try '1 7:1' --columns 6
try '1 1:1' --model categorical
try '1 1:1' --target features
try '1 20000:0.5'
try '1 99999999999999999999:1'
try '1 4194305:1'
try '1 01:1'
try '1 2:1e999'
: >empty.svm
echo '# nothing' >header.svm
head -c 2000 "$ILK" >binary.svm
for data in empty header binary; do fails ilk train $data.svm -o new.bayes; done
fails ilk predict m.bayes "$EXAMPLES/playtennis.csv"
fails ilk predict d.bayes "$EXAMPLES/playtennis.csv"

# After the look-ahead: a fraction among counts, a word, a column more.
awk 'BEGIN { for (i = 0; i < 70000; i++) print i % 2, 1 + i % 7 ":" 1 + i % 3; print "1 2:oops"; print "1 2:0.5";
    print "1 9:1" }' >late.svm
fails ilk train late.svm -o new.bayes
run ilk train --bad-rows skip late.svm -o skipped.bayes 2>&1 | grep -A1 '[0-9] rows* skipped'
ilk inspect --csv skipped.bayes | grep -c '^phi'
for threads in 1 2 5; do ilk train -q --bad-rows skip --threads $threads late.svm -o late.bayes; cksum <late.bayes; done | sort -u | wc -l
fails ilk train --model gda late.svm -o new.bayes
run ilk train --model gda --bad-rows skip --shrink 0.5 late.svm -o skipped.bayes 2>&1 | grep -A1 '[0-9] rows* skipped'

# What a family or a transform does not accept is refused where it stands, also a 0 that is not listed.
printf '1,2,a\n2,3,a\n3,1,b\n5,1,b\n4,2,a\n' >positive.csv
run ilk train -q --no-header --transform 1=boxcox positive.csv -o positive.bayes
printf 'a 1:2 2:1\nb 2:1\nb 1:-1.50 2:1\na 1:3\n' >zero.svm
fails ilk predict positive.bayes zero.svm
run ilk predict --bad-rows skip positive.bayes zero.svm 2>&1 | rounded
run ilk train -q --no-header --model poisson positive.csv -o poisson.bayes
printf 'a 1:2 2:0.5\n' >half.svm
fails ilk predict poisson.bayes half.svm
printf 'a\nb\na\n' >none.svm
fails ilk train --model gda none.svm -o new.bayes

# There is nothing but the features to learn from; as text they are counts, whatever the first rows look like.
printf '1 1:1 2:2\n0 1:2 3:1\n1 2:3\n' >counts.svm
fails ilk train --ignore features counts.svm -o new.bayes
fails ilk train --weights features counts.svm -o new.bayes
run ilk train -q --text features counts.svm -o counts.bayes
run ilk sample -n 2 counts.bayes
ilk sample -n 20 counts.bayes >drawn.csv
ilk eval --json counts.bayes drawn.csv | jq .n
fails ilk train --text features half.svm -o new.bayes
