# SPDX-License-Identifier: Apache-2.0
#
# Encodings: a table in GBK with Chinese column and class names is learnt, predicted, shown and aligned like its UTF-8
# twin; what is not UTF-8 fails with the name of what it looks like.
. "$TESTS/cli/common.bash"
needs iconv
needs jq
cat >table.csv <<'END'
天气,温度,湿度,打球
晴,炎热,高,否
晴,炎热,高,否
阴,炎热,高,是
雨,温和,高,是
雨,凉爽,正常,是
雨,凉爽,正常,否
阴,凉爽,正常,是
晴,温和,高,否
晴,凉爽,正常,是
雨,温和,正常,是
END
printf '天气,温度,湿度\n晴,凉爽,高\n' >new.csv
for name in table new; do
    iconv -f UTF-8 -t GBK $name.csv >$name.gbk.csv
    iconv -f UTF-8 -t UTF-16 $name.csv >$name.utf16.csv
    iconv -f UTF-8 -t UTF-16BE $name.csv >$name.be.csv
done

fails ilk train table.gbk.csv -o gbk.bayes
run ilk train --encoding GBK table.gbk.csv -o gbk.bayes
run ilk train -q table.csv -o utf8.bayes
run ilk predict --keep all --posterior gbk.bayes new.gbk.csv | rounded
diff <(ilk predict gbk.bayes new.gbk.csv) <(ilk predict utf8.bayes new.csv) && echo 'predictions: the same'
run ilk predict --encoding utf-8 gbk.bayes new.csv | rounded
run ilk inspect gbk.bayes
ilk inspect --csv utf8.bayes | cmp - <(ilk inspect --csv gbk.bayes) && echo 'inspect: the same'
ilk inspect --json gbk.bayes | jq -c .encoding
fails ilk predict utf8.bayes new.gbk.csv

# A mark says UTF-16; without one it is named.
run ilk train -q table.utf16.csv -o utf16.bayes
cmp utf8.bayes utf16.bayes && echo 'UTF-16 by its mark: same bytes'
ilk predict gbk.bayes new.utf16.csv | cmp - <(ilk predict gbk.bayes new.gbk.csv) &&
    echo 'the mark goes before the model'
fails ilk train table.be.csv -o be.bayes
run ilk train -q --encoding utf-16be table.be.csv -o be.bayes

iconv -f UTF-8 -t UTF-32LE table.csv >table.32.csv
fails ilk train table.32.csv -o wide.bayes
run ilk train -q --encoding utf-32 table.32.csv -o wide.bayes
iconv -f UTF-8 -t UTF-32BE table.csv >table.32.csv
fails ilk train table.32.csv -o wide.bayes

# Lines, and other encodings. A converter's output is what is guessed.
for encoding in GB18030 BIG5 SHIFT_JIS EUC-KR CP1251 CP1252; do
    case $encoding in
    GB18030) a=新闻$'\t'国家队今天在北京进行了训练 b=天气$'\t'明天上海多云有小雨最高气温二十度 ;;
    BIG5) a=新聞$'\t'國家隊今天在臺北進行了訓練 b=天氣$'\t'明天高雄多雲有小雨最高氣溫二十度 ;;
    SHIFT_JIS) a=ニュース$'\t'代表チームは今日東京で練習をしました b=天気$'\t'明日は曇りのち雨でしょう ;;
    EUC-KR) a=뉴스$'\t국가대표팀이 오늘 서울에서 훈련을 했습니다' b=날씨$'\t내일은 흐리고 비가 오겠습니다' ;;
    CP1251) a=новости$'\tсборная сегодня тренировалась в москве' b=погода$'\tзавтра облачно и небольшой дождь' ;;
    CP1252) a=actualité$'\t'"l'équipe s'est entraînée hier à côté" \
        b=météo$'\tété très ensoleillé, températures élevées' ;;
    esac
    printf '%s\n' "$a" "$b" "$a" "$b" | iconv -f UTF-8 -t $encoding >lines.txt
    fails ilk train --format lines lines.txt -o lines.bayes
    run ilk train -q --format lines --encoding $encoding lines.txt -o lines.bayes
    ilk inspect --json lines.bayes | jq -c .classes
    rm lines.bayes
done

# Strays are read as U+FFFD, and counted.
{ for i in {1..50}; do printf 'ham\tsee you at the usual place tomorrow\nspam\twin a free prize now call us\n'; done
  printf 'ham\tat the caf\351 then\n'; } >strays.txt
run ilk train --format lines strays.txt -o strays.bayes
printf 'ham\tcaf\351\n' >one.txt
fails ilk train --format lines one.txt -o one.bayes
run ilk predict --format lines --keep text --encoding utf-8 strays.bayes one.txt | rounded
fails ilk train --encoding klingon table.csv -o new2.bayes

# What a model remembers is not what any data is in.
for i in {1..9}; do printf '新闻\t国家队今天在北京进行了训练\n天气\t明天上海多云有小雨最高气温二十度\n'; done >utf8.txt
iconv -f UTF-8 -t GB18030 utf8.txt >gb.txt
run ilk train -q --format lines --encoding gb18030 gb.txt -o gb.bayes
run ilk eval gb.bayes gb.txt | grep accuracy
fails ilk eval gb.bayes utf8.txt
run ilk eval --encoding utf-8 gb.bayes utf8.txt | grep accuracy
iconv -f UTF-8 -t CP1252 <<<$'ham\tl\'équipe s\'est entraînée hier à côté du marché' >french.txt
fails ilk predict gb.bayes french.txt

# Nor is what was asked for: UTF-8 as Big5, from a file and from a pipe, small and behind a header of ASCII.
fails ilk train --format lines --encoding big5 utf8.txt -o wrong.bayes
{ echo label,text; sed 's/\t/,/' utf8.txt; } >ascii.csv
fails ilk train --encoding big5 - -o wrong.bayes <ascii.csv
fails ilk predict --encoding big5 gb.bayes utf8.txt
fails ilk train --format lines --encoding latin1 utf8.txt -o wrong.bayes
# Nor where each byte is of it: all of these are valid GB18030, and most valid Big5.
for i in {1..9}; do
    printf 'news\tthe national team trained 国家队今天训练\nweather\tcloudy tomorrow 多云有小雨\n'
done >mixed.txt
fails ilk train --format lines --encoding gb18030 mixed.txt -o wrong.bayes
printf '新聞\t國家隊今天在臺北進行了訓練\n天氣\t明天高雄多雲有小雨最高氣溫二十度\n' | iconv -f UTF-8 -t BIG5 >big5.txt
printf 'ニュース\t代表チームは今日東京で練習をしました\n天気\t明日は曇りのち雨でしょう\n' >ja.txt
printf '뉴스\t국가대표팀이 오늘 서울에서 훈련을 했습니다\n날씨\t내일은 흐리고 비가 오겠습니다\n' |
    iconv -f UTF-8 -t EUC-KR >euc-kr.txt
for encoding in EUC-JP SHIFT_JIS; do iconv -f UTF-8 -t $encoding ja.txt >$encoding.txt; done
fails ilk train --format lines --encoding big5 gb.txt -o wrong.bayes
for name in big5 EUC-JP SHIFT_JIS euc-kr; do
    fails ilk train --format lines --encoding gb18030 $name.txt -o wrong.bayes
done
fails ilk train --format lines --encoding big5 euc-kr.txt -o wrong.bayes
fails ilk predict gb.bayes big5.txt
fails ilk predict gb.bayes - <big5.txt
mkdir -p docs/{a,b}
for i in {1..9}; do cp big5.txt docs/a/$i; cp big5.txt docs/b/$i; done
fails ilk train --format dirs --encoding gb18030 docs -o wrong.bayes
ls wrong.bayes 2>&1 | sed 's/.*cannot access/cannot access/'
# ASCII in UTF-16 is no UTF-8, though each of its bytes is.
{ echo x,y; for i in {1..200}; do printf '%d,a\n%d,b\n' $i $i; done; } >ascii.csv
for encoding in UTF-16LE UTF-16BE; do
    iconv -f UTF-8 -t $encoding ascii.csv >ascii.16.csv
    fails ilk train --encoding utf-32 ascii.16.csv -o wrong.bayes
done
fails ilk train --encoding utf-32 ascii.csv -o wrong.bayes
