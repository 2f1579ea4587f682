# SPDX-License-Identifier: Apache-2.0
#
# Text that was not written to be read: what it costs stays in proportion, and what cannot be read is named.
. "$TESTS/cli/common.bash"

# learn NAME [OPTION...]: train on standard input, and answer the same lines
learn() {
    local name=$1
    shift
    cat >"$name.tsv"
    run ilk train -q "$@" --format lines "$name.tsv" -o "$name.bayes"
    ilk predict --format lines "$@" "$name.bayes" "$name.tsv" 2>&1 | sed 1d | cut -d, -f1 | sort | uniq -c
    rm "$name.tsv"
}

echo 'a word of ten million letters'
{ printf 'x\tshort words\ny\t'; head -c 10000000 /dev/zero | tr '\0' a; printf '\n'; } | learn long_word

echo 'three hundred thousand words that occur once'
awk 'BEGIN { for (i = 0; i < 300; i++) { printf "%s\t", i % 2 ? "x" : "y"
             for (j = 0; j < 1000; j++) printf "w%d ", i * 1000 + j; print "" } }' | learn once

echo 'half a million accents on one letter, and more of them on none'
{ printf 'x\tplain e\ny\te'; awk 'BEGIN { for (i = 0; i < 500000; i++) printf "\314\201" }'
  printf ' '; awk 'BEGIN { for (i = 0; i < 500000; i++) printf "\314\201" }'; printf '\n'; } | learn accents

echo 'halves of surrogate pairs, bytes that begin nothing, sequences that are too long or cut off'
printf 'x\tone \355\240\200 two\ny\t\377\376 three \300\257 four \360\237\n' | learn invalid --encoding utf-8

echo 'a line that does not end'
head -c 70000000 /dev/zero | tr '\0' a >endless.tsv
fails ilk train -q --format lines endless.tsv -o endless.bayes
rm endless.tsv

echo 'NUL bytes'
printf 'x\tone\ny\ttwo\0three\n' >nul.tsv
fails ilk train -q --format lines nul.tsv -o nul.bayes
