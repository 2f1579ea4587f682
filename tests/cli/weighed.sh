# SPDX-License-Identifier: Apache-2.0
#
# Words counted once, by the logarithm, in documents of unit length: what is learnt adds up to the byte all the same.
. "$TESTS/cli/common.bash"
for part in 0 1; do awk -v part=$part 'NR % 2 == part' "$EXAMPLES/messages.tsv" >messages$part.tsv; done
for weight in --binary --log-counts --unit-length '--binary --unit-length' '--log-counts --unit-length'; do
    train() { ilk train -q --format lines --smooth 0.1 --loo none $weight "$@"; }
    train "$EXAMPLES/messages.tsv" -o whole.bayes
    train --threads 4 "$EXAMPLES/messages.tsv" -o threads.bayes
    for part in 0 1; do train messages$part.tsv -o $part.bayes; done
    ilk merge -q -o merged.bayes 0.bayes 1.bayes
    echo "$weight"
    cmp merged.bayes whole.bayes && cmp threads.bayes whole.bayes && echo same bytes
    ilk update -q 0.bayes --format lines messages1.tsv
    cmp 0.bayes whole.bayes && echo same bytes when updated
    ilk forget -q 0.bayes --format lines messages0.tsv
    cmp 0.bayes 1.bayes && echo same bytes when the other half is forgotten
    ilk predict --format lines whole.bayes "$EXAMPLES/messages.tsv" | head -n 2 | rounded
done
# A word that comes three times says as much as once.
ilk train -q --format lines --binary --loo none "$EXAMPLES/messages.tsv" -o binary.bayes
printf 'x\tprize\nx\tprize prize prize\n' >once.tsv
run ilk predict --format lines binary.bayes once.tsv | rounded
fails ilk train --format lines --binary --log-counts "$EXAMPLES/messages.tsv" -o no.bayes
fails ilk merge -o no.bayes whole.bayes binary.bayes
fails ilk sample whole.bayes -n 1
ilk export whole.bayes --to json | jq -c '.columns[0].tokens'
