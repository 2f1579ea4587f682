# SPDX-License-Identifier: Apache-2.0
#
# Chinese names align by display width under LC_ALL=C, which the harness sets.
. "$TESTS/cli/common.bash"
printf '天气,温度,打球\n晴,热,否\n晴,热,否\n阴天,热,是\n雨,温和,是\n雨,温和,是\n' >tennis.csv
run ilk train --model categorical --target 打球 tennis.csv -o 打球.bayes
run ilk inspect 打球.bayes
run ilk eval 打球.bayes tennis.csv
run ilk explain 打球.bayes - <<<$'温度,天气\n热,阴天'
run ilk predict --posterior 打球.bayes - <<<$'温度,天气\n热,阴天' | rounded
