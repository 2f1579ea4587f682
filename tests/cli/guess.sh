# SPDX-License-Identifier: Apache-2.0
#
# Which encoding a file is said to look like: of each language that has one, two short sentences.
. "$TESTS/cli/common.bash"
needs iconv
try() {     # ENCODING SENTENCE SENTENCE
    printf 'a\t%s\nb\t%s\n' "$2" "$3" | iconv -f UTF-8 -t "$1" >text.txt || return
    printf '%-12s %s\n' "$1" "$(ilk train --format lines text.txt -o text.bayes 2>&1 | sed -n 's/.*it looks like //p')"
}
a='Dzisiaj świeci słońce, więc idziemy na spacer do lasu' b='później zjemy obiad i napijemy się gorącej herbaty'
try CP1250 "$a" "$b"
try ISO-8859-2 "$a" "$b"
try CP1250 'Dnes svítí slunce, takže půjdeme na procházku do lesa' 'potom si dáme oběd a vypijeme hořký čaj'
try CP1250 'Ma süt a nap, ezért sétálni megyünk az erdőbe' 'később ebédelünk és meleg teát iszunk, gyönyörű idő'
try CP1250 'Astăzi străluceşte soarele, aşa că mergem la plimbare' 'în pădure, şi apoi bem ceai'
try CP1250 'Danes sije sonce, zato gremo na sprehod v gozd' 'kasneje bomo pili čaj, že včeraj smo šli'
a='Σήμερα λάμπει ο ήλιος, γιαυτό πάμε βόλτα στο δάσος' b='αργότερα θα φάμε μεσημεριανό και θα πιούμε τσάι'
try CP1253 "$a" "$b"
try ISO-8859-7 "$a" "$b"
a='Bugün güneş parlıyor, bu yüzden ormana yürüyüşe çıkıyoruz' b='daha sonra öğle yemeği yiyip çay içeceğiz'
try CP1254 "$a" "$b"
try ISO-8859-9 "$a" "$b"
a='сегодня светит солнце, и мы идём гулять в лес' b='потом пообедаем и выпьем горячего чая'
try CP1251 "$a" "$b"
try KOI8-R "$a" "$b"
a='сьогодні світить сонце, тому ми йдемо гуляти в ліс' b='потім пообідаємо і вип'\''ємо гарячого чаю'
try CP1251 "$a" "$b"
try KOI8-U "$a" "$b"
try CP1251 'днес грее слънце, затова отиваме на разходка в гората' 'после ще обядваме и ще пием горещ чай'
try CP1255 'היום השמש זורחת ולכן נצא לטייל ביער' 'אחר כך נאכל צהריים ונשתה תה חם'
try CP1256 'اليوم الشمس مشرقة لذلك سنذهب في نزهة إلى الغابة' 'ثم نتناول الغداء ونشرب الشاي الساخن'
try TIS-620 'วันนี้แดดออกเราจึงไปเดินเล่นในป่า' 'ต่อมาเราจะกินข้าวกลางวันและดื่มชาร้อน'
try CP1257 'Šiandien šviečia saulė, todėl einame pasivaikščioti į mišką' 'vėliau valgysime pietus ir gersime karštą arbatą'
try CP1257 'Šodien spīd saule, tāpēc ejam pastaigāties mežā' 'vēlāk ēdīsim pusdienas un dzersim karstu tēju'
try CP1252 'Heute scheint die Sonne, wir gehen schön spazieren' 'später trinken wir heißen Tee'
a="Aujourd'hui le soleil brille, nous nous promenons dans la forêt" b='après nous boirons un thé brûlant, là où ça plaît'
try CP1252 "$a" "$b"
try ISO-8859-15 "$a" "$b"
try CP1252 'Hoy brilla el sol, así que vamos a pasear mañana' 'después beberemos té caliente, qué ilusión'
try CP1252 'Hoje o sol brilha, então vamos passear na floresta' 'depois tomamos chá quente, não é? ações, corações'
try CP1250 'Ma süt a nap, ezért elmegyünk sétálni az erdőbe' 'később ebédelünk és forró teát iszunk'
try CP1250 'férfi' 'nő'
try TIS-620 'ชาย' 'หญิง'
try CP1252 'O gato põe a pata na água' 'os leões e os dragões são tão grandes'
try CP1252 'Sólin skín í dag og því förum við í göngutúr út í skóg' 'síðan borðum við hádegismat og drekkum heitt te'
try CP1257 'Täna paistab päike, nii et läheme metsa jalutama' 'hiljem sööme lõunat ja joome kuuma teed, õhtul ööbime'
try CP1252 'I dag skiner solen, så vi går på promenad' 'senare äter vi lunch, på sjön är det skönt'
try CP1252 'I dag skinner solen, så vi går en tur i skoven' 'på en ø med grønt græs'
try GB18030 '今天阳光明媚,我们去森林里散步' '之后吃午饭,喝热茶'
try BIG5 '今天陽光明媚,我們去森林裡散步' '之後吃午飯,喝熱茶'
a=今日は日が照っているので森へ散歩に行きます b=その後で昼食を食べて熱いお茶を飲みます
try SHIFT_JIS "$a" "$b"
try EUC-JP "$a" "$b"
try EUC-KR '오늘은 해가 비치니 숲으로 산책을 갑니다' '그 뒤에 점심을 먹고 뜨거운 차를 마십니다'

# A few signs among many lines of ASCII are damage, and no letters of other alphabets.
for signs in '\247 \267 \272' '\272 \241 \273' '\264 \271 \244' '\272\272 \272\272 \272\272' 'x\264\271x\244\267x'; do
    (yes 'a	the law says what it says' | head -n 100
        printf "b\t see $signs of it\n"
        yes 'b	and nobody knows why' | head -n 100) >text.txt
    ilk train --format lines text.txt -o text.bayes 2>&1 | grep -F "invalid bytes"
done

# Bytes that no encoding explains.
printf 'a\tx\201\215\217\ny\t\220\n' >text.txt
fails ilk train --format lines text.txt -o text.bayes
