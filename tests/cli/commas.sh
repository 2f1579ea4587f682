# SPDX-License-Identifier: Apache-2.0
#
# Names of columns with commas in them.
. "$TESTS/cli/common.bash"

# In quotes a comma divides nothing, also where the table is divided by semicolons.
printf '"size, cm";"weight, kg";"class"\n1.5;2.5;a\n2.5;3.5;a\n7.5;8.5;b\n8.5;9.5;b\n' >semicolons.csv
run ilk train --loo none semicolons.csv -o semicolons.bayes 2>&1 | sed '$d'
