# SPDX-License-Identifier: Apache-2.0
#
# A field of 10 MB in every format: read as it is, and the rows behind it too.
. "$TESTS/cli/common.bash"

again() { yes "$1" | tr -d '\n' | head -c 10000000; }    # TEXT: 10 MB of it
one=$(again 'one text that is very long ') other=$(again 'another of as many words ')

printf 'class\ttext\nx\t%s\ny\tanother short\nx\tone short\ny\t%s\n' "$one" "$other" >long.tsv
sed 1d long.tsv >long.lines
printf 'class,text\nx,"%s, ""quoted""\n"\ny,another short\nx,one short\ny,"%s"\n' "$one" "$other" >long.csv
sed '1d; s/^\(.\)\t\(.*\)$/{"class": "\1", "text": "\2"}/' long.tsv >long.jsonl
{
    printf '@relation long\n@attribute class {x,y}\n@attribute text string\n@data\n'
    sed "1d; s/^\(.\)\t\(.*\)$/\1,'\2'/" long.tsv
} >long.arff
gzip -k long.csv
mkdir -p long/x long/y
printf %s "$one" >long/x/1
printf 'one short' >long/x/2
printf %s "$other" >long/y/1
printf 'another short' >long/y/2

for data in long.tsv long.csv long.csv.gz long.jsonl long.arff long.lines long; do
    how=()
    case $data in
    long.lines) how=(--format lines) ;;
    long) how=(--format dirs) ;;
    *) how=(--target class) ;;
    esac
    ilk train -q --loo none --text text "${how[@]}" "$data" -o model.bayes || continue
    [ "${how[0]}" = --format ] || how=()
    echo "$data: $(ilk predict "${how[@]}" model.bayes "$data" | cut -d, -f1 | tr '\n' ' ')" \
        "$(ilk eval "${how[@]}" model.bayes "$data" | grep accuracy)"
done

# In rows of numbers it is a comment, or no number, of which the message shows the beginning.
printf 'a 1:1.5 # %s\nb 1:2.5\na 1:1.25\nb 1:2.75\n' "$one" >long.svm
run ilk train -q long.svm -o svm.bayes
ilk eval svm.bayes long.svm | grep accuracy
printf 'n,y\n1.5,a\n2.5,b\n%s,a\n' "$(again 1)x" >long_number.csv
fails ilk train -q --target y --family n=gaussian long_number.csv -o no.bayes
printf '%s,y\n1.5,a\n2.5,b\n1.25,a\n2.75,b\n' "$one" >long_name.csv
run ilk train -q long_name.csv -o name.bayes
ilk eval name.bayes long_name.csv | grep accuracy
