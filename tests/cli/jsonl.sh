# SPDX-License-Identifier: Apache-2.0
#
# JSON lines: keys as columns, nesting, numbers to the bit; and what is wrong with a line, in one line.
. "$TESTS/cli/common.bash"
needs jq
ilk --version | grep -q jansson || { echo "built without jansson"; exit 77; }
cat >people.jsonl <<'END'
{"name": "Ann", "age": 31, "address": {"city": "Rome", "zip": "00184"}, "member": true, "class": "yes"}
{"name": "Bob", "age": 45.50, "address": {"city": "Oslo", "zip": "0150"}, "member": false, "class": "no"}

{"age": null, "name": "Cid", "class": "yes", "tags": ["good", "old friend"]}
{"age": 12345678901234567890123, "address": {"city": "Rome"}, "member": true, "class": "no"}
{"class": "yes", "age": 29, "address": {"city": "Rome", "zip": "00184"}, "member": true}
{"class": "no", "age": 1e2, "address": {"city": "Oslo", "zip": "0150"}, "member": false}
END
run ilk train --ignore tags people.jsonl -o m.bayes 2>&1 | sed '/rows\/s/d'
run ilk predict --keep all m.bayes people.jsonl | cut -d, -f1-7
ilk predict m.bayes - <people.jsonl | cmp - <(ilk predict m.bayes people.jsonl) && echo 'known by its content'
cat people.jsonl | ilk predict m.bayes - | cmp - <(ilk predict m.bayes people.jsonl) && echo 'also from a pipe'
ilk inspect --json m.bayes | jq -c '.columns[] | [.name, .kind, .role]'
{ cat people.jsonl; echo '{"class": "no", "zodiac": 3}'; } >late_key.jsonl
printf '{"class": "no",\n "age": 3}\n' >lines.jsonl
head -n 3 people.jsonl >bad.jsonl
try() { { cat bad.jsonl; printf '%s\n' "$1"; } >tried.jsonl; fails ilk train tried.jsonl -o new.bayes; }
try '[1, 2]'
try '{"class": "no", "age": 3'
try '{"class": "no", "age": }'
try '{"class": "no", "age": 1e999}'
try '{"class": "no", "age": 1, "age": 2}'
try '{"class": "no", "age": [1, 2]}'
try '{"class": "no", "address.city": "Rome", "address": {"city": "Oslo"}}'
try '{"class": "no", "a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":1}}}}}}}}}'
try '{"class": "no", "age": "\u0000"}'
fails ilk train lines.jsonl -o new.bayes
: >empty.jsonl
echo '{}' >nothing.jsonl
head -c 2000 "$ILK" >binary.jsonl
printf '\n\n' >blank.jsonl
for data in empty nothing binary blank; do fails ilk train $data.jsonl -o new.bayes; done
sed 's/"age"/"agee"/' people.jsonl >slip.jsonl
fails ilk predict m.bayes slip.jsonl

# After the look-ahead: a key that is new, and a word where numbers were.
awk 'BEGIN {
    for (i = 0; i < 70000; i++) printf "{\"x\": %s, \"class\": \"%s\"}\n", i * 1.5, i % 2 ? "a" : "b"
    print "{\"x\": 3, \"z\": 1, \"class\": \"a\"}"
    print "{\"x\": \"oops\", \"class\": \"a\"}"
}' >late.jsonl
fails ilk train late.jsonl -o new.bayes
run ilk train --bad-rows skip late.jsonl -o skipped.bayes 2>&1 | grep -e key -A2
for threads in 1 2 5; do ilk train -q --bad-rows skip --threads $threads late.jsonl -o late.bayes; cksum <late.bayes; done | sort -u | wc -l

# On a pipe, rows may lack values, also the first, but not all that the model knows.
printf '{"a":%s,"b":"%s","class":"%s"}\n' 1.5 u p 2.5 v q 1.7 u p 2.9 v q 2.9 u q >rows.jsonl
ilk train -q rows.jsonl -o json.bayes
for rows in '{"a":1.5}' '{"b":"v"}' '{}\n{"a":1.5}' '{"a":null}'; do
    printf "$rows\n" | ilk predict -q --bad-rows skip json.bayes - | rounded
done
for rows in '{"aa":1.5,"bb":"u"}' '{"class":"p"}'; do
    printf "$rows\n" | fails ilk predict -q json.bayes -
    printf "$rows\n" >strange.jsonl
    fails ilk predict -q json.bayes strange.jsonl
    rm strange.jsonl
done
