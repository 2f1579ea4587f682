# SPDX-License-Identifier: Apache-2.0
#
# Several updates of one model at the same time: each waits for the one before, and none is lost.
data=$EXAMPLES/playtennis.csv
ilk train -q --target PlayTennis --ignore Day "$data" -o whole.bayes
head -n 7 "$data" >first.csv
ilk train -q --target PlayTennis --ignore Day first.csv -o m.bayes
for row in {8..15}; do
    { head -n 1 "$data"; sed -n "${row}p" "$data"; } >$row.csv
    ilk update -q m.bayes $row.csv &
done
wait
cmp m.bayes whole.bayes && echo "eight updates at once"

# One that has begun holds the others up until it is done.
ilk train -q --target PlayTennis --ignore Day first.csv -o m.bayes
mkfifo pipe
ilk update -q m.bayes pipe &
one=$!
exec 9>pipe                                     # it reads now, and so holds the lock
ilk update -q m.bayes <(head -n 1 "$data"; sed -n 8,12p "$data") 9>&- &
two=$!
sleep 0.2
kill -0 $two && echo "the second waits"
{ head -n 1 "$data"; sed -n 13,15p "$data"; } >&9
exec 9>&-
wait $one && wait $two && cmp m.bayes whole.bayes && echo "both are in"

# Somebody who takes no lock replaces the file meanwhile: that is not overwritten.
cp whole.bayes other.bayes
ilk update -q m.bayes pipe &
one=$!
exec 9>pipe
mv other.bayes m.bayes
cat first.csv >&9
exec 9>&-
wait $one
echo "exit $?"
cmp m.bayes whole.bayes && echo "left as it is"
rm pipe
ls
