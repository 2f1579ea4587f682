# SPDX-License-Identifier: Apache-2.0
#
# Reads one program's TAP; writes one line per result: passed|failed|skipped PROGRAM: NAME (WHY).
# Set: program, its name; status, its exit status.
#
# cmocka reports a skip as `not ok 2 # SKIP name`; the reason stands before it: `# SKIP-REASON name: reason`.
# Others write `ok 2 - name # SKIP reason`. A program with several groups has several plans, which add up.

function result(kind, name, why) {
    print kind " " program ": " name (why == "" ? "" : " (" why ")")
    if (kind == "failed") failed++
}

function skip(line,    at, name, why) {
    at = match(line, /# SKIP/)
    why = substr(line, at + 6)
    sub(/^ */, "", why)
    name = substr(line, 1, at - 1)
    sub(/ *$/, "", name)
    if (name == "") { name = why; why = reason[name] }       # cmocka's form
    result("skipped", name, why == "" ? "no reason given" : why)
}

/^1\.\.[0-9]+/ { planned += substr($1, 4); plans++; next }
/^# SKIP-REASON / {
    at = index($0, ": ")
    reason[substr($0, 15, at - 15)] = substr($0, at + 2)
    next
}
/^(not )?ok [0-9]+/ {
    seen++
    line = $0
    ok = line !~ /^not/
    sub(/^(not )?ok [0-9]+ *(- )?/, "", line)
    if (line ~ /# SKIP/) skip(line)
    else result(ok ? "passed" : "failed", line, "")
}

END {
    if (status == 124) result("failed", "the program", "took too long")
    else if (!plans || seen != planned)
        result("failed", "the program", "exit status " status " after " seen + 0 " of " \
               (plans ? planned : "unknown") " results")
    else if (status != 0 && !failed) result("failed", "the program", "exit status " status " although all passed")
}
