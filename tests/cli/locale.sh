# SPDX-License-Identifier: Apache-2.0
#
# Under a locale with a comma every command reads and writes the bytes that it does under C.
. "$TESTS/cli/common.bash"
LOCPATH=$("$TESTS/locale.sh") || exit 77
export LOCPATH

awk 'BEGIN { for (i = 0; i < 60; i++) printf "%.3f,%.4g,%s,%s\n", i * 1.37 % 5, i * i / 7 + 0.001,
    i % 3 ? "p" : "q", i % 2 ? "a" : "b" }' \
    >numbers.csv

# all LOCALE: everything that commands write, into the folder of that name.
all() {
    mkdir "$1"
    (
        export LC_ALL=$1
        printf '%.1f\n' 1                               # the shell's own: the locale is there and does what it should
        cd "$1" || exit
        ilk train --model gda --smooth 0.5 --shrink 0.25 --prior a=0.25,b=0.75 ../numbers.csv -o m.bayes 2>train
        ilk predict --posterior --log-joint m.bayes ../numbers.csv >predict 2>&1
        ilk eval --json m.bayes ../numbers.csv >eval 2>&1
        ilk inspect m.bayes >inspect 2>&1
        ilk inspect --json m.bayes >inspect.json 2>&1
        ilk explain m.bayes ../numbers.csv >explain 2>&1
        ilk merge m.bayes m.bayes -o twice.bayes >merge 2>&1
        ilk train --smooth 0,5 ../numbers.csv -o n.bayes >refused 2>&1
        echo "exit $?"
        sed -i -E -f "$TESTS/mask.sed" train
    )
}

all C
all de_DE.UTF-8
diff -r C de_DE.UTF-8 && echo same
ls C
cat C/refused
