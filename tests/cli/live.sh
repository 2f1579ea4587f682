# SPDX-License-Identifier: Apache-2.0
#
# On a pipe each row is answered when it comes, not when the pipe ends: a conversation with predict and explain.
. "$TESTS/cli/common.bash"
ilk train -q --target PlayTennis --ignore Day "$EXAMPLES/playtennis.csv" -o m.bayes
ilk train -q "$EXAMPLES/messages.tsv" -o spam.bayes
ask() { echo "$1" >&"${TALK[1]}"; }
answer() { local line; read -r -t 20 line <&"${TALK[0]}" && echo "$line" | rounded || echo "no answer"; }
bye() {     # end the input and wait
    local pid=$TALK_PID
    eval "exec ${TALK[1]}>&-"
    wait "$pid"
    echo "exit $?"
}
for threads in 1 4; do
    echo "--- threads $threads"
    coproc TALK { exec ilk predict -q --threads $threads m.bayes -; }
    ask Outlook,Temperature,Humidity,Wind
    ask Sunny,Cool,High,Strong
    answer
    answer
    ask Overcast,Hot,High,Weak
    answer
    ask '"Rain",Mild,"High",Strong'
    answer
    bye
done

echo "--- rows without a header, as JSON, of which one comes in pieces"
coproc TALK { exec ilk predict -q --no-header --json m.bayes -; }
ask D1,Sunny,Cool,High,Strong,No
answer
printf 'D2,Rain,' >&"${TALK[1]}"
sleep 0.1
ask Mild,High,Strong,No
answer
bye

echo "--- lines of text, explained"
coproc TALK { exec ilk explain -q --top 1 --format lines spam.bayes -; }
ask "$(printf 'ham\tsee you at the meeting')"
answer
bye

# How the input comes in pieces does not matter to the answers.
tail -n +2 "$EXAMPLES/playtennis.csv" | while read -r line; do echo "$line"; done >rows.csv
for i in {1..300}; do cat rows.csv; done | awk '{ print } NR % 999 == 0 { fflush() }' >many.csv
ilk predict --no-header m.bayes many.csv >file.out
for threads in 1 3; do
    awk '{ printf "%s\n", $0 } NR % 77 == 0 { fflush() }' many.csv |
        ilk predict --threads $threads --no-header m.bayes - >pipe.out
    cmp file.out pipe.out && wc -l <pipe.out
done

echo "--- lines that come one by one are lines, whatever follows"
printf 'a\tbuy cheap pills now ok yes\na\t\na\tNA\nb\thello my friend how are you\nb\tsee you\n' >lines.tsv
ilk train -q --model bernoulli --format lines lines.tsv -o lines.bayes
ilk predict -q lines.bayes - <lines.tsv >at_once
(while IFS= read -r line; do printf '%s\n' "$line"; sleep 0.05; done <lines.tsv) | ilk predict -q lines.bayes - >slowly
cmp at_once slowly && rounded <slowly
