# SPDX-License-Identifier: Apache-2.0
#
# Ninety-two ARFF files: as many rows and classes as they have, or one line that says why not.
. "$TESTS/cli/common.bash"
needs jq
for name in arff_uci weka_arff; do
    dir=$("$TESTS/data.sh" $name) || exit 77
    for file in "$dir"/*.arff; do
        # Rows by another rule than ours: lines behind @data that are neither empty nor comments.
        rows=$(tr -d '\r' <"$file" | awk 'data && NF && !/^%/ { n++ } tolower($1) == "@data" { data = 1 }
            END { print n + 0 }')
        if ilk train --json --loo none "$file" -o m.bayes >report 2>errors; then
            learnt=$(jq .rows report)
            skipped=$(sed -n 's/ rows* skipped: no label//p' errors)
            echo "$name/$(basename "$file") $learnt rows, $(jq '.classes | length' report) classes"
            [ $((learnt + ${skipped:-0})) = "$rows" ] || echo "but it has $rows"
        else
            echo "$name/$(basename "$file") $(grep '^ilk:' errors | sed "s|$dir/||")"
        fi
    done
done
