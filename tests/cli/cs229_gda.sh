# SPDX-License-Identifier: Apache-2.0
#
# CS229 2018, problem set 1: GDA predicts the reference labels, every row of both sets; and phi, mu, Sigma that inspect
# prints are the formulas', summed here by awk.
. "$TESTS/cli/common.bash"
dir=$("$TESTS/data.sh" cs229_2018) || exit 77
for set in 1 2; do
    train=$dir/PS1/ds${set}_train.csv
    run ilk train --model gda "$train" -o gda.bayes
    # The labels of the data are 0.0 and 1.0, those of the reference 0 and 1.
    ilk predict gda.bayes "$dir/PS1/ds${set}_valid.csv" | tail -n +2 | cut -d. -f1 >labels
    cmp labels "$dir/reference_outputs/PS1_p01e_pred_$set.txt" && echo "$(wc -l <labels) labels are the reference's"
    run ilk eval gda.bayes "$dir/PS1/ds${set}_valid.csv"
    run ilk inspect gda.bayes

    ilk inspect --csv gda.bayes | awk -F, '/^(prior|mu|Sigma)/ { print $1, $3, $4, $5, $6 }' | sort >got
    awk -F, '
        NR > 1 { n++; c = $3; m[c]++; y[n] = c; x[n, 1] = $1; x[n, 2] = $2; s[c, 1] += $1; s[c, 2] += $2 }
        END {
            for (c in m) {
                printf "prior   %s %.17g\n", c, m[c] / n
                for (j = 1; j <= 2; j++) { mu[c, j] = s[c, j] / m[c]; printf "mu x_%d  %s %.17g\n", j, c, mu[c, j] }
            }
            for (i = 1; i <= 2; i++)
                for (j = 1; j <= 2; j++) {
                    S = 0
                    for (r = 1; r <= n; r++) S += (x[r, i] - mu[y[r], i]) * (x[r, j] - mu[y[r], j])
                    printf "Sigma x_%d x_%d  %.17g\n", i, j, S / n
                }
        }' "$train" | sort >expected
    paste -d' ' got expected | awk '
        { got = $(NF / 2); want = $NF; d = got / want - 1; if (d > 1e-12 || d < -1e-12) print "differs:", $0; n++ }
        END { print n, "numbers compared" }'
done
