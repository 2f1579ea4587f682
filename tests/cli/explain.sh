# SPDX-License-Identifier: Apache-2.0
#
# Reasons: words with their counts, numbers, categories; both forms; the parts add up.
. "$TESTS/cli/common.bash"
needs jq
run ilk train -q --format lines "$EXAMPLES/messages.tsv" -o spam.bayes
head -n 3 "$EXAMPLES/messages-test.tsv" >three.tsv
run ilk explain --top 4 spam.bayes three.tsv
printf 'spam\tfree free free prize\n' >free.tsv
run ilk explain --format lines spam.bayes free.tsv
run ilk explain --format=lines --json spam.bayes free.tsv | valid

printf 'height,colour,y\n1.5,red,a\n2.5,red,a\n7,blue,b\n9.5,red,b\n1.25,red,c\n0.75,blue,c\n' >mixed.csv
run ilk train -q mixed.csv --family height=gaussian -o mixed.bayes
run ilk explain mixed.bayes mixed.csv --against c
# No row whose parts do not add up, and six of which that is said.
ilk explain --json mixed.bayes mixed.csv |
    jq -c '([.parts[].contribution] | add) - .log_odds | fabs < 1e-12' | sort | uniq -c
fails ilk explain --against d mixed.bayes mixed.csv

# Without smoothing a part may be infinite, and a row undecided.
run ilk train -q --smooth 0 --ignore height --unseen unknown mixed.csv -o zero.bayes
printf 'colour\nblue\ngreen\n' >new.csv
run ilk explain zero.bayes new.csv
run ilk explain --json zero.bayes new.csv --against a | valid

# Without smoothing a class may be impossible, by a word that is not there or by one that is: the parts say which.
printf 'y,t\na,buy now\na,buy\na,lunch\nb,now\nb,buy now\n' >few.csv
ilk train -q --smooth 0 --model bernoulli --text t few.csv -o few.bayes
run ilk explain few.bayes - <<<$'t\nbuy\nlunch now'
