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

echo 'a million words that occur once'
awk 'BEGIN { for (i = 0; i < 1000; i++) { printf "%s\t", i % 2 ? "x" : "y"
             for (j = 0; j < 1000; j++) printf "w%d ", i * 1000 + j; print "" } }' | learn once

echo 'half a million accents on one letter, and more of them on none'
{ printf 'x\tplain e\ny\te'; awk 'BEGIN { for (i = 0; i < 500000; i++) printf "\314\201" }'
  printf ' '; awk 'BEGIN { for (i = 0; i < 500000; i++) printf "\314\201" }'; printf '\n'; } | learn accents

# again BYTES TEXT: the text (printf's escapes) so often that there are about so many bytes of it
again() { yes "$(printf "$2")" | tr -d '\n' | head -c "$1"; }

echo 'ten million bytes of accents that would have to be sorted, and of others that join what is before'
for flood in '\314\201\314\243' '\340\275\263' '\341\205\241\341\206\250'; do
    { printf 'x\tplain words\ny\te'; again 9999996 "$flood"; printf '\n'; } | learn joined
done

echo 'characters that grow eleven times in normal form'
{ printf 'x\tplain words\ny\t'; again 1500000 '\357\267\272'; printf '\n'; } | learn growing

echo 'from right to left, with marks that turn it and are never turned back'
{ printf 'x\tplain words\ny\t'; again 3000000 '\342\200\256abc \327\251\327\234\327\225\327\235 '; printf '\n'; } | learn turned

echo 'halves of surrogate pairs, bytes that begin nothing, sequences that are too long or cut off'
printf 'x\tone \355\240\200 two\ny\t\377\376 three \300\257 four \360\237\n' | learn invalid --encoding utf-8

echo 'a line that does not end'
head -c 70000000 /dev/zero | tr '\0' a >endless.tsv
fails ilk train -q --format lines endless.tsv -o endless.bayes
rm endless.tsv

echo 'a field too long that is quoted as it should be'
{ printf 'y,t\nx,short\ny,"'; head -c 70000000 /dev/zero | tr '\0' a; printf '"\nx,one\n'; } >field.csv
fails ilk train -q --target y field.csv -o field.bayes
rm field.csv

echo 'NUL bytes'
printf 'x\tone\ny\ttwo\0three\n' >nul.tsv
fails ilk train -q --format lines nul.tsv -o nul.bayes
