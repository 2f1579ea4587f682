# SPDX-License-Identifier: Apache-2.0
#
# Compressed input: known by content, from files and pipes, mixed; the model has the bytes of the plain file's. What is
# cut or damaged fails by name and leaves nothing.
. "$TESTS/cli/common.bash"
for tool in gzip xz zstd; do needs $tool; done
for library in zlib liblzma libzstd; do
    ilk --version | grep -q $library || { echo "built without $library"; exit 77; }
done
data=$EXAMPLES/messages.tsv
train() { ilk train -q --format lines -o "$@"; }
train plain.bayes "$data"
gzip -c "$data" >data.gz
xz -c "$data" >data.xz
zstd -qc "$data" >data.zst
for kind in gz xz zst; do
    train $kind.bayes data.$kind && cmp plain.bayes $kind.bayes && echo "$kind: same bytes"
    train piped.bayes - <data.$kind && cmp plain.bayes piped.bayes && echo "$kind from standard input: same bytes"
done
cp data.gz odd.tsv                              # the name does not matter
train odd.bayes odd.tsv && cmp plain.bayes odd.bayes && echo 'gz named .tsv: same bytes'

# Parts of different kinds, as files and as members of one.
head -n 100 "$data" | gzip -c >1.gz
sed -n 101,200p "$data" | xz -c >2.xz
sed -n 201,300p "$data" | zstd -qc >3.zst
tail -n +301 "$data" >4.tsv
train parts.bayes 1.gz - 3.zst 4.tsv <2.xz && cmp plain.bayes parts.bayes && echo 'parts: same bytes'
gzip -c 4.tsv >4.gz
cat 1.gz 2.xz 3.zst 4.gz >all.gz
train all.bayes all.gz && cmp plain.bayes all.bayes && echo 'members: same bytes'
ilk predict plain.bayes data.gz | cmp - <(ilk predict plain.bayes "$data") && echo 'predictions: same bytes'

# Extensions tell the format behind them.
gzip -c "$EXAMPLES/playtennis.csv" >tennis.csv.gz
run ilk train -q --target PlayTennis tennis.csv.gz -o tennis.bayes

for kind in gz xz zst; do
    head -c 1000 data.$kind >cut.$kind
    fails ilk train --format lines cut.$kind -o new.bayes
    cp data.$kind bad.$kind
    printf 'damage' | dd of=bad.$kind bs=1 seek=900 conv=notrunc status=none
    fails ilk train --format lines bad.$kind -o new.bayes
    { cat data.$kind; echo behind; } >more.$kind
    fails ilk train --format lines more.$kind -o new.bayes
done
fails ilk train --format lines - -o new.bayes <cut.gz
fails ilk train --format lines - data.gz - -o new.bayes <data.gz
printf 'BZh91AY' >data.bz2
fails ilk train data.bz2 -o new.bayes
