# SPDX-License-Identifier: Apache-2.0
#
# CS229, the spam matrix as svmlight data: the errors that the course's solution tells.
. "$TESTS/cli/common.bash"
needs jq
dir=$("$TESTS/data.sh" cs229_spam_data) || exit 77
# The matrix has three lines of head; a row is its class and pairs of (columns further, count), up to -1.
svm() {
    awk 'NR > 3 {
        line = $1
        for (i = 2; i < NF && $i >= 0; i += 2) {
            column = (i == 2 ? 0 : column) + $i
            line = line " " column ":" $(i + 1)
        }
        print line
    }' "$1"
}
svm "$dir/MATRIX.TEST" >test.svm
for part in .50 .100 .200 .400 .800 .1400 ''; do
    svm "$dir/MATRIX.TRAIN$part" >train.svm
    ilk train -q --columns 1448 train.svm -o m.bayes
    ilk eval -q --json m.bayes test.svm | jq -r '"\(.n) \(1 - .accuracy)"' |
        awk -v part="$part" '{ printf "MATRIX.TRAIN%s: %d of %d, %.4f\n", part, $1 * $2 + 0.5, $1, $2 }'
done
