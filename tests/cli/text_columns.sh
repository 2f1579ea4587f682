# SPDX-License-Identifier: Apache-2.0
#
# Texts beside numbers and categories, in two languages and other encodings.
. "$TESTS/cli/common.bash"
cat >offers.csv <<'END'
title,text,price,category,class
Win a prize,claim your free prize now and call this number today,0.5,promo,spam
免费领奖,恭喜您中奖了，请马上点击链接领取免费大奖,0,promo,spam
Lunch on Friday,shall we meet for lunch at the usual place on friday,12.5,private,ham
会议通知,明天上午十点在三楼会议室开会，请准时参加,8.25,work,ham
Free tickets,free tickets for the first hundred callers so call now,1.5,promo,spam
Quarterly report,please find the report attached and read it before the meeting,20,work,ham
END
run ilk train --text title,text offers.csv -o offers.bayes
run ilk inspect --words 4 offers.bayes
run ilk predict --posterior --keep title offers.bayes offers.csv | rounded
printf 'category,price,text,title\npromo,0.5,您中奖了，马上领取 free prize,Meeting\n' >new.csv
run ilk explain --top 6 offers.bayes new.csv | rounded
ilk inspect offers.bayes | grep -c $'\033'
ilk explain offers.bayes new.csv | grep -c $'\033'

echo 'the same mails, as lines and as folders, in other encodings'
cat >mails.tsv <<'END'
spam	恭喜您中奖 claim your free prize ＮＯＷ
ham	明天开会 please read the report
spam	免费领取大奖 call now
ham	中午一起吃饭 lunch at noon
END
run ilk train -q --loo none --format lines mails.tsv -o utf8.bayes
printf '?\t免费大奖 now\n?\t开会 lunch\n' >asked.tsv
for encoding in GB18030 BIG5; do
    text=cat
    [ $encoding = BIG5 ] && text='sed s/奖/獎/g;s/开/開/g;s/会/會/g;s/费/費/g;s/领/領/g;s/饭/飯/g'
    $text mails.tsv | iconv -f UTF-8 -t $encoding >mails.txt
    $text asked.tsv | iconv -f UTF-8 -t $encoding >asked.txt
    run ilk train -q --loo none --format lines --encoding $encoding mails.txt -o lines.bayes
    ilk predict --format lines lines.bayes asked.txt | rounded
    [ $encoding = BIG5 ] || diff <(ilk predict --format lines utf8.bayes asked.tsv) \
        <(ilk predict --format lines lines.bayes asked.txt)
    i=0
    mkdir -p $encoding/spam $encoding/ham
    while IFS=$'\t' read -r class text_of; do
        printf '%s\n' "$text_of" >$encoding/$class/$((i += 1)).txt
    done <mails.txt
    run ilk train -q --loo none --format dirs --encoding $encoding $encoding -o dirs.bayes
    diff <(ilk predict --format lines lines.bayes asked.txt) <(cut -f2 asked.txt | sed '1i text' |
        ilk predict --format csv dirs.bayes -) && echo the same answers
done

echo 'a missing text is no text without words, but an empty document is one'
printf 'text,class\nbuy now,spam\nNA,spam\nlunch,ham\n,ham\n"",ham\n' >gaps.csv
run ilk train -q --text text --model bernoulli gaps.csv -o gaps.bayes
ilk inspect --csv gaps.bayes | grep -E '^(phi|prior)'
printf 'text\nNA\n\n...\n' | sed 's/^$/""/' | ilk predict --posterior gaps.bayes - | rounded
sed -n '2,$s/\(.*\),\(.*\)/\2\t\1/p' gaps.csv | sed 's/""//' >gaps.tsv
run ilk train -q --format lines --model bernoulli gaps.tsv -o lines.bayes
ilk inspect --csv lines.bayes | grep -E '^(phi|prior)'
printf 'ham\t\nham\t...\nham\tNA\n' | ilk predict --format lines --posterior lines.bayes - | rounded
mkdir -p gaps/spam gaps/ham
echo buy now >gaps/spam/1; echo lunch >gaps/ham/1; : >gaps/ham/2; echo >gaps/ham/3
run ilk train -q --model bernoulli gaps -o dirs.bayes
ilk inspect --csv dirs.bayes | grep -E '^phi.*lunch'
