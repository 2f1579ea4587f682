# SPDX-License-Identifier: Apache-2.0
#
# Categories that are whole numbers are what they are worth, however they are spelt; and what was never learnt is counted.
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
ilk inspect --json whole.bayes | jq -c '.columns[0]'
run ilk update -q points.bayes whole.csv
ilk inspect points.bayes | sed -n '/phi of kind/,/^$/p'
diff <(ilk predict whole.bayes whole.csv) <(ilk predict whole.bayes points.csv) && echo the same answers
printf 'kind,size\n1,2\n1.0,2\n01,2\n+1,2\n1e0,2\n-0,2\n0,2\n' | run ilk predict whole.bayes - | rounded

# What is no whole number, or no number, is a value of its own.
printf 'kind,size\n1.5,2\nx,2\n7,2\n1,2\n' | run ilk predict whole.bayes - 2>&1 | rounded
printf 'kind,size,class\n1.5,2,a\nx,2,b\n1.50,2,b\n' >others.csv
run ilk update -q whole.bayes others.csv
ilk inspect whole.bayes | sed -n '/phi of kind/,/^$/p'

# A column with words among its values is one of words: these may be names.
sed '2s/^1/one/; 3s/^/0/' whole.csv >names.csv
run ilk train -q names.csv -o names.bayes
ilk inspect names.bayes | sed -n '/phi of kind/,/^$/p'

# So are values that are declared.
{
    printf '@relation r\n@attribute kind {0,1,1.0}\n@attribute size numeric\n@attribute class {a,b}\n@data\n'
    sed 1d whole.csv | sed '2s/^1/1.0/; s/^2/0/'
} >declared.arff
run ilk train -q declared.arff -o declared.bayes
ilk inspect declared.bayes | sed -n '/phi of kind/,/^$/p'
