#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# demo.sh: the main jobs on small examples. Each command is printed before it runs and can be pasted; files go to
# build/demo. `ilk` is expected on the PATH (make demo sees to that).
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/demo

title() { printf '\n== %s\n' "$1"; }
run() { printf '$ %s\n' "$1"; bash -c "set -euo pipefail; $1"; }

title "1. PlayTennis: fourteen days, four columns. Will they play when it is sunny, cool, humid and windy?"
run 'ilk train --model categorical --smooth 0 --target PlayTennis examples/playtennis.csv -o build/demo/tennis.bayes'
run 'ilk predict --joint build/demo/tennis.bayes examples/playtennis-new.csv'
echo "   (by hand: .0206 for No against .0053 for Yes)"
run 'ilk inspect build/demo/tennis.bayes'
run 'ilk explain build/demo/tennis.bayes examples/playtennis-new.csv'

title "2. Two Gaussians with one covariance: what was put in comes out"
cat <<'TEXT'
   100,000 points: mu = (0, 0) for class 0 and (2, 1) for class 1, Sigma = (1 .5; .5 2), equally many of each,
   hence theta = Sigma^-1 (mu_1 - mu_0) = (2, 0) and an intercept of -2.
TEXT
run 'awk -f examples/gaussians.awk > build/demo/gaussians.csv'
run 'ilk train --model gda --target y build/demo/gaussians.csv -o build/demo/gaussians.bayes'
run 'ilk inspect build/demo/gaussians.bayes'

title "3. Short messages, English and Chinese: spam or ham?"
run 'ilk train --format lines examples/messages.tsv -o build/demo/messages.bayes'
run 'ilk eval --format lines build/demo/messages.bayes examples/messages-test.tsv'
run 'ilk inspect --words 8 build/demo/messages.bayes'
run 'grep -m1 "^spam" examples/messages-test.tsv > build/demo/one.tsv; cat build/demo/one.tsv'
run 'ilk explain --format lines build/demo/messages.bayes build/demo/one.tsv'

title "4. What section of Debian does a package belong to, by its one-line description?"
# Every fifth package is held out. Sections are as they stand in apt's lists; a package listed twice counts once.
if ! command -v apt-cache >/dev/null || [ -z "$(apt-cache dumpavail 2>/dev/null | head -c 1)" ]; then
    echo "   skipped: this machine has no lists of packages (apt-get update makes them)"
    exit 0
fi
run 'apt-cache dumpavail | awk -f examples/packages.awk > build/demo/packages.tsv'
run "awk 'NR % 5' build/demo/packages.tsv > build/demo/packages-train.tsv"
run "awk 'NR % 5 == 0' build/demo/packages.tsv > build/demo/packages-test.tsv"
run 'ilk train --format lines build/demo/packages-train.tsv -o build/demo/packages.bayes'
run 'ilk eval --format lines build/demo/packages.bayes build/demo/packages-test.tsv'
run 'ilk inspect --words 6 build/demo/packages.bayes | sed -n "/^words/,\$p"'
