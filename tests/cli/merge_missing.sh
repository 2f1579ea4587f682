# SPDX-License-Identifier: Apache-2.0
#
# Statistics that were read with other spellings of "missing" are other statistics.
ilk train -q --target PlayTennis "$EXAMPLES/playtennis.csv" -o a.bayes
ilk train -q --target PlayTennis --na none "$EXAMPLES/playtennis.csv" -o b.bayes
ilk merge a.bayes b.bayes -o both.bayes
code=$?
ls
exit $code
