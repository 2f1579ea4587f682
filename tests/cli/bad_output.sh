# SPDX-License-Identifier: Apache-2.0
#
# Output that cannot be written: one line, exit 1, nothing left behind.
. "$TESTS/cli/common.bash"
data=$EXAMPLES/playtennis.csv
train() { fails ilk train -q --target PlayTennis "$data" -o "$1"; }
touch file
mkdir folder
train nowhere/m.bayes
train file/m.bayes
train folder
train folder/
cp "$data" own.csv
fails ilk train -q --target PlayTennis own.csv -o own.csv
cmp own.csv "$data" && echo unharmed

# A full disk: the device that always is, and a limit on the size of files (the shell counts blocks of 1024 bytes).
train /dev/full
limited() { (ulimit -f 1; "$@"); }
fails limited ilk train -q --format lines "$EXAMPLES/messages.tsv" -o m.bayes
ilk train -q --target PlayTennis "$data" -o m.bayes
cp m.bayes before.bayes
fails limited ilk train -q --format lines "$EXAMPLES/messages.tsv" -o m.bayes
cmp m.bayes before.bayes && echo unharmed
fails limited ilk merge -q -o merged.bayes m.bayes m.bayes

for command in "predict m.bayes $data" "eval m.bayes $data" "eval --json m.bayes $data" "explain m.bayes $data" \
    "inspect m.bayes" "inspect --json m.bayes" "inspect --csv m.bayes" help "help --man" "help --completion bash" \
    --version "train -q --json --target PlayTennis $data -o json.bayes"; do
    echo "\$ ilk $command >/dev/full"
    ilk $command 2>&1 >/dev/full
    echo "exit $?"
done
echo '$ ilk inspect >&-'
ilk inspect m.bayes 2>&1 >&-
echo "exit $?"
rm -f json.bayes
ls

# No file that is read is written over.
cp "$EXAMPLES/messages.tsv" words.tsv
printf 'the\nof\n' >words.txt
for option in stop dictionary; do
    fails ilk train -q --format lines --$option words.txt words.tsv -o words.txt
    fails ilk train -q --format lines --$option words.txt words.tsv -o ./folder/../words.txt
done
cat words.txt
cp m.bayes like.bayes
fails ilk train -q --like like.bayes "$data" -o like.bayes
cmp m.bayes like.bayes && echo unharmed
