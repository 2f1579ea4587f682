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

# What was learnt without a header has no names, so that no header can be wrong: columns stand where they stood.
printf '5.1,3.5,a\n4.9,3.25,a\n6.1,2.9,b\n6.3,2.75,b\n' >numbered.csv
run ilk train -q numbered.csv -o numbered.bayes
printf 'width,height,kind\n5,3.25,a\n6.25,2.75,b\n' | run ilk predict numbered.bayes - | rounded
printf 'width,height\n5,3.25\n6.25,2.75\n' | run ilk predict numbered.bayes - | rounded
printf 'width\n5\n6.25\n' | fails ilk predict numbered.bayes -
