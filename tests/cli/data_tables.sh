# SPDX-License-Identifier: Apache-2.0
#
# Real tables with missing values, without any preparation: titanic, penguins, Adult.
. "$TESTS/cli/common.bash"
seaborn=$("$TESTS/data.sh" seaborn) || exit 77
uci=$("$TESTS/data.sh" uci_brownlee) || exit 77
accuracy() { grep -oE '^accuracy +[0-9.]+' | awk '{ printf "%.3f\n", $2 }'; }
echo "titanic: alive is survived in words, and leaving it out is the honest model"
run ilk train --target survived "$seaborn/titanic.csv" -o alive.bayes 2>&1 | grep -v '^#'
ilk eval alive.bayes "$seaborn/titanic.csv" | accuracy
run ilk train --target survived --ignore alive "$seaborn/titanic.csv" -o titanic.bayes 2>&1 | grep -v '^#'
ilk eval titanic.bayes "$seaborn/titanic.csv" | accuracy
echo "penguins"
run ilk train --target species "$seaborn/penguins.csv" -o penguins.bayes 2>&1 | grep -v '^#'
ilk eval penguins.bayes "$seaborn/penguins.csv" | accuracy
ilk train -q --target species --model gda "$seaborn/penguins.csv" -o gda.bayes &&
    ilk eval gda.bayes "$seaborn/penguins.csv" | accuracy
echo "Adult: its test labels end in a period"
run ilk train --target 15 "$uci/adult-train.csv" -o adult.bayes 2>&1 | grep -v '^#'
sed 's/\.$//' "$uci/adult-test.csv" >adult-test.csv
ilk eval adult.bayes adult-test.csv | accuracy | tee accuracy
awk '{ exit !($1 >= 0.82) }' accuracy && echo "at least 0.82"
