# SPDX-License-Identifier: Apache-2.0
#
# A category that is a whole number may come with a fraction of zeros, and so may a number that means "missing"; and what
# was never learnt is counted.
. "$TESTS/cli/common.bash"

# The second file is the first as a program writes it that knows numbers with a point only.
{
    echo 'kind,size,class'
    for i in {1..12}; do echo "$((i % 3)),$((i % 5)).5,a"; echo "$((i % 2)),$((i % 7)).25,b"; done
} >whole.csv
sed 's/^\([0-9]\),/\1.0,/' whole.csv >points.csv
run ilk train -q whole.csv -o whole.bayes
run ilk train -q points.csv -o points.bayes
cmp whole.bayes points.bayes && echo the same bytes
run ilk update -q points.bayes whole.csv
sed '2,9s/^\([0-9]\),/\1.0,/' whole.csv >mixed.csv    # 1 and 1.0 in one file: six spellings of three values
run ilk train -q mixed.csv -o mixed.bayes
cmp whole.bayes mixed.bayes && echo the same bytes
for i in {1..40}; do echo "$((i % 8))$([ $((i % 3)) = 0 ] || echo .0),$((i % 2))"; done >eight.csv
run ilk train -q --no-header eight.csv -o eight.bayes
ilk inspect --json eight.bayes | jq -c '.columns[0]'
ilk inspect points.bayes | sed -n '/phi of kind/,/^$/p'
diff <(ilk predict whole.bayes whole.csv) <(ilk predict whole.bayes points.csv) && echo the same answers
printf 'kind,size\n2,2\n2.0,2\n2.000,2\n' | run ilk predict whole.bayes - | rounded

# The family may be asked for, and parts that have other values, too, merge.
run ilk train -q --family kind=categorical points.csv -o asked.bayes
cmp whole.bayes asked.bayes && echo the same bytes
sed '2s/^1.0/x/' points.csv >more.csv
run ilk train -q more.csv -o more.bayes
run ilk merge -q whole.bayes more.bayes -o both.bayes
ilk inspect both.bayes | sed -n '/phi of kind/,/^$/p'

# All else is a value of its own: leading zeros, signs, fractions, numbers beyond the doubles, versions.
printf 'kind,size\n1.5,2\n01,2\n+1,2\n1.,2\n.0,2\n1.0.0,2\n1.0e0,2\nx,2\n7,2\n1,2\n' |
    run ilk predict whole.bayes - 2>&1 | rounded
for i in {1..30}; do echo '01,a'; echo '1,b'; echo '9007199254740993,c'; echo '9007199254740992.0,d'; done |
    run ilk train -q --no-header - -o codes.bayes
ilk inspect codes.bayes | sed -n '/phi of 1/,/^$/p'
printf 'kind,size,class\n1.5,2,a\nx,2,b\n1.50,2,b\n' >others.csv
run ilk update -q whole.bayes others.csv
ilk inspect whole.bayes | sed -n '/phi of kind/,/^$/p'

# So are values that are declared, and spellings of "missing".
{
    printf '@relation r\n@attribute kind {0.0,1.0,2.0,3.0}\n@attribute size numeric\n@attribute class {a,b}\n@data\n'
    sed 1d points.csv
} >declared.arff
run ilk train -q declared.arff -o declared.bayes
ilk inspect declared.bayes | sed -n '/phi of kind/,/^$/p'
printf 'x,k,y\n1.5,9,a\n2.5,1,a\n-999,2,b\n-999.0,9.0,b\n4.5,2,b\n' >missing.csv
run ilk train -q --na '-999.00,9' --model nb --family k=categorical missing.csv -o missing.bayes
ilk inspect missing.bayes
