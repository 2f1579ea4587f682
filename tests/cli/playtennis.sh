# SPDX-License-Identifier: Apache-2.0
#
# The seeds' example from end to end: the four tables, the priors 9/14 and 5/14, .0053 and .0206, No.
. "$TESTS/cli/common.bash"
run ilk train --model categorical --smooth 0 --target PlayTennis --ignore Day "$EXAMPLES/playtennis.csv" -o tennis.bayes
run ilk predict --joint tennis.bayes "$EXAMPLES/playtennis-new.csv" | rounded
run ilk inspect tennis.bayes
run ilk explain tennis.bayes "$EXAMPLES/playtennis-new.csv"
run ilk eval tennis.bayes "$EXAMPLES/playtennis.csv"

# Day is an identifier: without being told to, train leaves it out, and says so. Laplace smoothing this time.
run ilk train --target PlayTennis "$EXAMPLES/playtennis.csv" -o laplace.bayes
run ilk inspect laplace.bayes
run ilk predict --posterior laplace.bayes "$EXAMPLES/playtennis-new.csv" | rounded
