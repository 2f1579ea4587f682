# SPDX-License-Identifier: Apache-2.0
#
# Bad input: one clear line each, exit 1 or 2, nothing written.
. "$TESTS/cli/common.bash"
ilk train -q --model categorical --target PlayTennis --ignore Day "$EXAMPLES/playtennis.csv" -o m.bayes

: >empty.csv
echo a,b,class >header.csv
printf 'a,class\n1,x\n2,x\n' >one.csv
printf 'a,b,class\n1,2,x\n3,y\n4,5,y\n' >ragged.csv
printf 'a,b,class\n1,2,x\n3,"4,y\n' >quote.csv
head -c 3000 "$ILK" >binary.csv
printf 'a,class\r1,x\r2,y\r' >mac.csv
for data in empty header one ragged quote binary mac nowhere; do
    fails ilk train $data.csv -o new.bayes
done
mkdir folder
fails ilk train folder -o new.bayes
fails ilk train - -o new.bayes </dev/null

# A word in a column of numbers, long after the look-ahead was over.
awk 'BEGIN {
    print "x,class"
    for (i = 0; i < 70000; i++) print i * 1.5 "," (i % 2 ? "a" : "b")
    print "oops,a"
}' >late.csv
fails ilk train late.csv -o new.bayes
run ilk train -q --bad-rows skip late.csv -o skipped.bayes
rm skipped.bayes
run ilk train --bad-rows skip ragged.csv -o new.bayes

fails ilk train --target PlayTenis "$EXAMPLES/playtennis.csv" -o new2.bayes
fails ilk train --ignore Windy "$EXAMPLES/playtennis.csv" -o new2.bayes
fails ilk train --family Wind=gausian "$EXAMPLES/playtennis.csv" -o new2.bayes
fails ilk train --target 9 "$EXAMPLES/playtennis.csv" -o new2.bayes
fails ilk train -q --model multinomial --target PlayTennis "$EXAMPLES/playtennis.csv" -o new2.bayes

printf 'Outlook,Temperature,Wind\nSunny,Cool,Strong\n' >missing.csv
for command in predict explain; do fails ilk $command m.bayes missing.csv; done
fails ilk eval m.bayes "$EXAMPLES/playtennis-new.csv"
for data in empty header binary nowhere; do fails ilk predict m.bayes $data.csv; done

# Model files that are none.
fails ilk predict nowhere.bayes "$EXAMPLES/playtennis-new.csv"
fails ilk inspect "$EXAMPLES/playtennis.csv"
fails ilk inspect empty.csv
fails ilk inspect folder
head -c 200 m.bayes >short.bayes
fails ilk inspect short.bayes
cp m.bayes later.bayes
printf '\377' | dd of=later.bayes bs=1 seek=8 conv=notrunc status=none    # the version
for command in "predict later.bayes missing.csv" "merge -o new2.bayes m.bayes later.bayes" "inspect later.bayes"; do
    fails ilk $command
done
cp m.bayes before.bayes
for model in short later; do
    for command in eval explain update forget sample export estimate; do
        case $command in
        sample) rest=() ;;
        export) rest=(--to c) ;;
        estimate) rest=(-o new2.bayes) ;;
        *) rest=("$EXAMPLES/playtennis.csv") ;;
        esac
        fails ilk $command $model.bayes "${rest[@]}"
    done
done
cmp <(head -c 200 before.bayes) short.bayes && cmp -n 8 before.bayes later.bayes && echo 'as they were'

# A later file that lacks a name lacks a column; unless the first has no name there either.
printf 'x,c,class\n1.5,u,p\n2.5,v,q\n' >named.csv
printf ',c,class\n1.5,u,p\n2.5,v,q\n' >unnamed.csv
fails ilk train named.csv unnamed.csv -o new2.bayes
fails ilk train unnamed.csv named.csv -o new2.bayes
run ilk train -q unnamed.csv unnamed.csv -o unnamed.bayes
