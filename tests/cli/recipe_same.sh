# SPDX-License-Identifier: Apache-2.0
#
# Weighed words, pairs and pieces on real text: the same bytes for 1, 2 and 8 threads, and for parts learnt apart and
# merged.
groups=$("$TESTS/data.sh" 20newsgroups_bydate) || exit 77
titles=$("$TESTS/data.sh" thucnews_titles) || exit 77
. "$TESTS/cli/common.bash"
options='--loo none --model complement --ngrams 1-2 --binary --unit-length --smooth .1'

# same NAME FORMAT WHOLE PART...: one training for each number of threads, one for each part.
same() {
    local name=$1 format=$2 whole=$3 threads i=0 part parts=()
    shift 3
    for threads in 1 2 8; do ilk train -q $options --threads $threads --format $format "$whole" -o $threads.bayes; done
    for part; do
        ilk train -q $options --format $format "$part" -o part$((++i)).bayes
        parts=(part$i.bayes "${parts[@]}")
    done
    ilk merge -q -o merged.bayes "${parts[@]}"
    for i in 2 8 merged; do cmp 1.bayes $i.bayes || echo "$name: $i differs"; done
    echo "$name: ${#parts[@]} parts"
}

# Four groups, because sanitizers take this test twenty times as long; three parts of unequal size, by the numbers of the
# files.
for class in "$groups"/20news-bydate-train/{alt.atheism,rec.autos,sci.space,talk.religion.misc}; do
    mkdir -p {all,a,b,c}/"${class##*/}"
    ls -d "$class"/* | xargs ln -s -t "all/${class##*/}"
    ls -d "$class"/*[0-4] | xargs ln -s -t "a/${class##*/}"
    ls -d "$class"/*[5-8] | xargs ln -s -t "b/${class##*/}"
    ls -d "$class"/*9 | xargs ln -s -t "c/${class##*/}"
done
same newsgroups dirs all a b c

awk -F '\t' '{ print $2 "\t" $1 }' "$titles/train_33590.txt" >titles
split -n l/5 titles titles.
same titles lines titles titles.a?

options='--loo none --model one-vs-rest --tokens pieces --ngrams 1-3 --binary --unit-length --smooth .04'
head -n 10000 titles >some
split -n l/3 some some.
same pieces lines some some.a?
