#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# seeds.sh: write the models among the seeds of fuzz_model and fuzz_merge anew, with build/ilk: after a change of the
# model file, or for a new family, which it finds by itself. tests/unit/test_corpus.c tells when that is due.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf 'x,z,k\n1,2,p\n2,1,p\n0,4,p\n4,4,q\n3,0,q\n5,1,q\n' >"$work/numbers.csv"
printf 'x,z,k\n2,2,p\n2,3,r\n1,4,r\n4,0,r\n6,1,q\n5,0,q\n,2,q\n7,3,q\n0,0,p\n3,1,p\n' >"$work/numbers2.csv"
printf 'w,x,k\n.5,2,p\n.25,3,q\n1.5,4,q\n3,1,p\n' >"$work/weights.csv"
printf 'c,d,k\nu,w,p\nv,w,q\nu,v,q\nu,,p\n' >"$work/values.csv"
printf 'c,d,k\nx,w,p\nv,y,q\nu,v,r\n' >"$work/values2.csv"
printf 'x,z,c,t,k\n1,2,u,aa bb,p\n2,1,v,bb,p\n0,4,u,aa,p\n4,4,u,aa aa,q\n3,0,,cc,q\n5,1,v,bb,q\n' >"$work/mixed.csv"
printf 'x,z,k\n1,5,p\n2,5,p\n4,5,q\n3,5,q\n' >"$work/constant.csv"
printf 'p\taa bb\nq\tbb\np\tcc aa aa\n' >"$work/words.txt"
printf 'q\taa xx\nr\tyy\n' >"$work/words2.txt"
printf 'p\taa bb\np\tbb\n' >"$work/one.txt"
printf 'x,z,k\n1,2,p\n' >"$work/one.csv"
printf 'bb\n' >"$work/stop"
printf 'aa\nzz\n' >"$work/dictionary"

# NAME MODEL...: a seed of fuzz_merge of these models.
pair() {
    local name=$1 n
    shift
    n=$(stat -c %s "$1")
    { printf '\1'"\\x$(printf %02x $((n % 256)))\\x$(printf %02x $((n / 256)))" && cat "$@"; } >"fuzz/corpus/merge/$name"
}

# NAME FILES OPTIONS...: one seed of fuzz_model of the first file, one of fuzz_merge of both (or of one alone).
seed() {
    local name=$1 files=($2) file
    shift 2
    for file in "${files[@]}"; do
        build/ilk train -q "$@" "$work/$file" -o "$work/$file.bayes" || return
    done
    { printf '\1' && cat "$work/${files[0]}.bayes"; } >"fuzz/corpus/model/$name"
    files=("${files[@]/#/$work/}")
    pair "$name" "${files[@]/%/.bayes}"
}

rm -rf fuzz/corpus/model fuzz/corpus/merge
mkdir -p fuzz/corpus/model fuzz/corpus/merge

# Every family, on the first of these that it takes: words, values, numbers that are shrunk or not.
families=$(build/ilk help train | tr -s ' \n' ' ' | sed -n 's/.*how to model one column: \([^;]*\);.*/\1/p' | tr -d ,)
for family in $families; do
    real=(--family "x=$family" --family "z=$family")
    {
        seed "$family" 'words.txt words2.txt' --format lines --model "$family" ||
            seed "$family" 'values.csv values2.csv' --family "c=$family" --family "d=$family" ||
            seed "$family" 'numbers.csv numbers2.csv' "${real[@]}" --shrink 0.5
    } 2>/dev/null || seed "$family" 'numbers.csv numbers2.csv' "${real[@]}"
done

real=(--family x=gaussian --family z=gaussian)
seed itself numbers.csv --family x=qda --family z=poisson
seed weights weights.csv --weights w --family x=gaussian
seed mixed mixed.csv --family x=gda --family z=gda --family c=categorical --text t
seed mixed_qda mixed.csv --family x=qda --family z=poisson --family c=table --family t=bernoulli --text t
seed slim numbers.csv "${real[@]}" --slim
seed constant_column constant.csv "${real[@]}"
seed categorical_ml values.csv --smooth 0 --family c=categorical --family d=table --unseen unknown
seed bernoulli_ml words.txt --format lines --model bernoulli --smooth 0
seed words_unknown words.txt --format lines --unseen unknown --prior smoothed
seed words_cut 'words.txt words2.txt' --format lines --vocab 1
seed words_weighed 'words.txt words2.txt' --format lines --log-counts --unit-length
seed words_listed 'words.txt words2.txt' --format lines --stop "$work/stop" --dictionary "$work/dictionary"
seed transforms 'numbers.csv numbers2.csv' --transform x=yeo-johnson --bins z=1,3
seed words_refused words.txt --format lines --unseen error --prior p=0.25,q=0.75
seed alone 'one.txt words2.txt' --format lines --stats-only --prior p=0.25
seed alone_number one.csv --model gda --stats-only

# The same columns, divided otherwise among families.
build/ilk train -q --family x=gaussian --family z=poisson --family c=categorical "$work/mixed.csv" -o "$work/a.bayes"
build/ilk train -q --family x=gaussian --family z=gaussian --family c=categorical "$work/mixed.csv" -o "$work/b.bayes"
pair divided "$work/a.bayes" "$work/b.bayes"

# Broken on purpose: checksums that are not to be repaired, a version that nobody knows, an end too early.
{ printf '\0' && tail -c +2 fuzz/corpus/model/gaussian; } >fuzz/corpus/model/checksums_kept
{ head -c 9 fuzz/corpus/model/gaussian && printf '\2' && tail -c +11 fuzz/corpus/model/gaussian; } \
    >fuzz/corpus/model/version_2
head -c 71 fuzz/corpus/model/gaussian >fuzz/corpus/model/cut
