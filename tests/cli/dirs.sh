# SPDX-License-Identifier: Apache-2.0
#
# Folders of documents: a folder per class, a file per document.
. "$TESTS/cli/common.bash"
mkdir -p mail/ham/2024 mail/spam new loop
for i in {1..6}; do
    printf 'Hello,\nsee "you" at lunch on day %s.\n' $i >mail/ham/$i
    printf 'Dear winner,\r\n%s free prizes: call now!\r\n' $i >mail/spam/$i.txt
done
echo 'lunch tomorrow, as usual?' >mail/ham/2024/7
printf 'free\0prize\0call\n' >mail/spam/binary         # a NUL is no end
printf 'free prize caf\351 call now\n' >mail/spam/latin
: >mail/spam/empty
echo 'not a document' >mail/ham/.hidden
mkdir mail/.git && echo 'nor this' >mail/.git/x
# Folders behind links are not followed.
ln -s ../../loop mail/spam/loop && ln -s ../mail loop/back && ln -s ../mail mail/again
echo 'call: a free prize, behind a link' >elsewhere && ln -s ../../elsewhere mail/spam/linked
printf 'win a prize, "free"' >new/b
printf 'lunch, then' >new/a,c

run ilk train mail -o mail.bayes
run ilk train -q --format dirs --threads 1 mail/ -o again.bayes
run ilk predict --keep path mail.bayes new | rounded
run ilk predict -q --keep path,class,text mail.bayes mail/ham | rounded | head -n 4
run ilk eval -q mail.bayes mail | head -n 2
ilk inspect --json mail.bayes | jq -c '.columns[] | [.name, .kind, .role]'
ilk predict mail.bayes new | cmp - <(printf 'path,text\na,lunch then\nb,"win a prize, ""free"""\n' |
    ilk predict mail.bayes -) &&
    echo 'a table of the same texts: the same'

# A document that lies beside the classes has none.
cp new/b mail/loose
run ilk train -q mail -o loose.bayes
cmp mail.bayes loose.bayes && echo 'the same without it'
run ilk train mail -o loose.bayes 2>&1 | grep label
rm mail/loose

# Several folders are one; so are packed documents, and such in another encoding.
mkdir other other/spam other/ham
mv mail/spam/[1-3].txt other/spam && mv mail/ham/[1-3] other/ham
if ilk --version | grep -q zlib; then gzip -n other/spam/1.txt; fi
run ilk train -q mail other -o two.bayes
cmp mail.bayes two.bayes && echo 'two folders: the same bytes'
mkdir -p gbk/体育 gbk/天气
for i in {1..3}; do
    echo "国家队今天在北京进行了第${i}次训练" | iconv -f UTF-8 -t GBK >gbk/体育/$i
    echo "明天上海多云有小雨最高气温${i}度" | iconv -f UTF-8 -t GBK >gbk/天气/$i
done
fails ilk train gbk -o gbk.bayes
printf 'a line with\0a byte too many' >gbk/天气/4        # it hides nothing
fails ilk train gbk -o gbk.bayes
rm gbk/天气/4
run ilk train --encoding gbk gbk -o gbk.bayes
run ilk predict --keep class gbk.bayes gbk | rounded

mkdir empty
fails ilk train empty -o none.bayes
fails ilk train new -o none.bayes                   # no classes
fails ilk train mail "$EXAMPLES/messages.tsv" -o none.bayes
fails ilk train --format dirs "$EXAMPLES/messages.tsv" -o none.bayes
fails ilk train --format csv mail -o none.bayes
fails ilk train nowhere -o none.bayes
run ilk train -q --unseen error mail -o strict.bayes
fails ilk predict -q strict.bayes new
ln -s gone mail/ham/broken
fails ilk train mail -o none.bayes
mkdir -p $'bad/\377/x' bad/ok && echo text >$'bad/\377/x/1' && echo text >bad/ok/1
fails ilk train bad -o none.bayes
