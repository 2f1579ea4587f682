# SPDX-License-Identifier: Apache-2.0
#
# 20 Newsgroups as it is distributed: a folder per group, a file per posting, 73 of the first 11,314 not UTF-8.
dir=$("$TESTS/data.sh" 20newsgroups_bydate) || exit 77
. "$TESTS/cli/common.bash"
cd "$dir"
model=$TMPDIR/groups.bayes
run ilk train --loo none --format dirs 20news-bydate-train -o "$model" 2>&1 | sed "s|$model|groups.bayes|"
run ilk eval -q "$model" 20news-bydate-test 2>&1 | sed "s|$model|groups.bayes|" | head -n 3
ilk predict -q --keep path "$model" 20news-bydate-test/sci.space | sed -n '1p;3,4p'
# Complement: scikit-learn has .8267 with the same defaults.
ilk train -q --loo none --model complement --format dirs 20news-bydate-train -o "$model"
run ilk eval -q "$model" 20news-bydate-test 2>&1 | sed "s|$model|groups.bayes|" | grep accuracy
