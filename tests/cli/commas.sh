# SPDX-License-Identifier: Apache-2.0
#
# Names of columns with commas in them.
. "$TESTS/cli/common.bash"

# In quotes a comma divides nothing, also where the table is divided by semicolons.
printf '"size, cm";"weight, kg";"class";"kind"\n1.5;2.5;a;u\n2.5;3.5;a;v\n7.5;8.5;b;u\n8.5;9.5;b;v\n' >semicolons.csv
run ilk train --loo none semicolons.csv -o semicolons.bayes 2>&1 | sed '$d'

# So it is where columns are named.
sed 's/"weight, kg"/"the ""weight"", kg"/; s/;/,/g' semicolons.csv >commas.csv
for list in '"size, cm"' '"the ""weight"", kg"' '"size, cm",class' ',class,,"size, cm",'; do
    run ilk train --loo none --target kind --ignore "$list" commas.csv -o m.bayes 2>&1 | grep -E '^[$]|ignored'
done
run ilk train --loo none --target kind --text '"size, cm",2' commas.csv -o m.bayes 2>&1 | grep -E '^[$]|multinomial'
run ilk predict --keep 'class,"the ""weight"", kg"' m.bayes commas.csv | head -n 3 | rounded
run ilk predict --json --keep '"size, cm"' m.bayes commas.csv | head -n 2 | rounded
for list in 'size, cm' '"size, cm' '"size, cm"x' '"size, cm"""' '""'; do
    fails ilk train --ignore "$list" commas.csv -o no.bayes
    fails ilk predict --keep "$list" m.bayes commas.csv
done

# A quote that opens nothing is a letter.
printf '{"\\"a": 1.5, "b\\"": "x", "y": "u"}\n{"\\"a": 2.5, "b\\"": "z", "y": "v"}\n' >quotes.jsonl
run ilk train --loo none --ignore '"a,b"' quotes.jsonl -o quotes.bayes 2>&1
run ilk train --loo none --ignore '"a' quotes.jsonl -o quotes.bayes 2>&1 | sed '$d'

# Given again, an option names more columns.
run ilk train --loo none --target kind --ignore 1 --ignore 'class,' commas.csv -o m.bayes 2>&1 | grep -E '^[$]|ignored'
run ilk train --loo none --target kind --text 1 --text 2 commas.csv -o m.bayes 2>&1 | grep -E '^[$]|multinomial'
run ilk predict --keep class --keep 1 --keep 4 m.bayes commas.csv | head -n 3 | rounded
run ilk predict --keep class --keep all m.bayes commas.csv | head -n 2 | rounded
