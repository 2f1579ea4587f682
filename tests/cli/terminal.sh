# SPDX-License-Identifier: Apache-2.0
#
# On a terminal explain draws bars, in colour unless NO_COLOR is set; off it there are none.
. "$TESTS/cli/common.bash"
command -v script >/dev/null || { echo "no script command"; exit 77; }
on_terminal() { TERM=xterm script -qec "$*" /dev/null </dev/null | tr -d '\r'; }
ilk train -q --target PlayTennis "$EXAMPLES/playtennis.csv" -o m.bayes
export EXAMPLES
on_terminal 'ilk explain m.bayes $EXAMPLES/playtennis-new.csv' | sed 's/\x1b/ESC/g'
NO_COLOR=1 on_terminal 'ilk explain m.bayes $EXAMPLES/playtennis-new.csv' | sed 's/\x1b/ESC/g'

# A word has the colour of its class, whichever class wins.
printf 'ham\tsee you at lunch\nham\tlunch at noon\nspam\tclaim your prize\nspam\tprize to claim\n' >mail.txt
printf 'claim the prize at lunch\nsee you at lunch to claim\n' >new.txt
ilk train -q --format lines mail.txt -o mail.bayes
on_terminal 'ilk explain mail.bayes new.txt' | sed 's/\x1b/ESC/g' >coloured
grep -E '^row|claim|lunch' coloured | sed 's/#//g'

ilk explain m.bayes "$EXAMPLES/playtennis-new.csv" | { ! grep '#'; }
NO_COLOR=1 on_terminal 'stty cols 60; ilk explain m.bayes $EXAMPLES/playtennis-new.csv' | head -n 4     # shorter bars
