# SPDX-License-Identifier: Apache-2.0
#
# Names that are long are cut between characters, and what a terminal would obey does not reach it; columns without any.
. "$TESTS/cli/common.bash"
long() { printf "$1%.0s" {1..41}; }     # two bytes a character behind one of one: no cut at an even place is right
valid_utf8() { iconv -f UTF-8 -t UTF-8 >/dev/null && echo valid; }

printf 'x%s,note,class\n1.5,one two,a%s\n2.5,two one,b\n3.5,one,a%s\n' "$(long ä)" "$(long ö)" "$(long ö)" >long.csv
run ilk train --loo none --text note long.csv -o m.bayes 2>&1 | tee report | cut -c1-150 | sed 's/[0-9.]* s,.*//'
valid_utf8 <report
run ilk train -q --text note --family note=complement long.csv -o complement.bayes
printf 'x%s,note,class\n1.5,one,c%s\n' "$(long ä)" "$(long ü)" >unknown.csv
run ilk eval m.bayes unknown.csv 2>&1 >/dev/null | tee report
valid_utf8 <report
printf 'n%s,y%s\none two three,u\ntwo,v\n' "$(long é)" "$(long ñ)" >text.csv
ilk train -q --text 1 --model complement text.csv -o text.bayes
cut -d, -f1 text.csv >bare.csv
for command in 'predict --joint text.bayes text.csv' 'eval text.bayes bare.csv'; do
    fails ilk $command >report
    cat report
    valid_utf8 <report
done

# CSI as one character of Latin-1, as two of ASCII, and as a byte of its own; and DEL.
printf 'a,class\n1.5,\302\2332J\n2.5,\033[2J\n3.5,\177\n4.5,\302\240ok\n' >hostile.csv
shown() { "$@" 2>&1 | head -n 1 | od -An -c; }
shown ilk train --loo none hostile.csv -o hostile.bayes
shown ilk forget hostile.bayes --class $'\302\2332J!'
shown ilk $'\302\2332J'
shown ilk $'\2332J'

# What was learnt without a header has no names. Whether columns of data with names stand where they stood is to be said.
printf '5.1,3.5,a\n4.9,3.25,a\n6.1,2.9,b\n6.3,2.75,b\n' >numbered.csv
run ilk train -q numbered.csv -o numbered.bayes
printf 'width,height,kind\n5,3.25,a\n6.25,2.75,b\n' >headed.csv
fails ilk predict numbered.bayes headed.csv
fails ilk update numbered.bayes headed.csv
fails ilk predict --no-header numbered.bayes headed.csv
run ilk predict --header numbered.bayes headed.csv | rounded
cut -d, -f1,2 headed.csv | run ilk predict --header numbered.bayes - | rounded
cut -d, -f1 headed.csv | fails ilk predict --header numbered.bayes -
run ilk update -q --header numbered.bayes headed.csv
ilk inspect numbered.bayes | sed -n '/^mu/,/^$/p'
printf '@relation r\n@attribute width numeric\n@data\n1\n' >names.arff
fails ilk predict numbered.bayes names.arff

# Neither side has names: it is places that count, wherever labels and weights stood.
printf 'a,1,2,9\na,2,1,8\nb,3,5,7\nb,5,4,6\n' >first.csv
printf 'a,1,2,1\na,2,1,2\nb,3,5,1\nb,5,4,1\n' >both.csv
printf '1,2,9\n3,5,7\n' >bare.csv
run ilk train -q --target 1 first.csv -o first.bayes
run ilk predict first.bayes bare.csv | rounded
run ilk train -q --target 1 --ignore 4 first.csv -o ignored.bayes
run ilk predict ignored.bayes bare.csv | rounded
fails ilk eval ignored.bayes bare.csv                       # what is ignored may not be gone: this has no labels
run ilk train -q --target 1 --weights 4 both.csv -o both.bayes
run ilk predict both.bayes bare.csv | rounded
cut -d, -f1,2 bare.csv | run ilk predict both.bayes - | rounded
cut -d, -f1 bare.csv | fails ilk predict both.bayes -
cut -d, -f1 bare.csv | fails ilk predict first.bayes -
fails ilk update first.bayes bare.csv
printf '2,1,y\n1,20,a\n2,21,a\n5,29,b\n6,30,b\n' >numbers.csv
run ilk train -q --header --target y numbers.csv -o numbers.bayes
printf '1,20\n6,30\n' | run ilk predict --no-header numbers.bayes - | rounded

# A flag may be named like one of its values.
printf 'age,income,y\n23,1.5,n\n45,2.5,y\n31,3.5,n\n52,2.75,y\n' >flag.csv
run ilk train -q flag.csv -o flag.bayes
ilk predict flag.bayes flag.csv | wc -l
