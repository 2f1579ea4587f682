#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# hostile.sh DIR: texts of sizes that nobody writes, through the ilk of DIR (a build without sanitizers) in little memory,
# as TAP. Each ends with an answer, or with one line that says what is wrong, and leaves nothing behind.
set -uo pipefail
build=$(cd "$1" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/ilk-hostile.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
ulimit -v 2500000
number=0 failed=0

again() { yes "$(printf "$2")" | tr -d '\n' | head -c "$1"; }    # BYTES TEXT: the text, so many bytes of it

answers() { [ "$code" = 0 ] && [ -s model.bayes ]; }
refuses() { [ "$code" = 1 ] && [ ! -e model.bayes ] && [ "$(wc -l <errors)" = 1 ]; }
either() { answers || refuses; }

# learn NAME HOW OPTION...: train on standard input; it must end as HOW says
learn() {
    local good=ok
    code=0
    rm -f model.bayes*
    timeout 1500 "$build/ilk" train -q --loo none --format lines "${@:3}" -o model.bayes - 2>errors || code=$?
    sed 's/^/# /' errors
    "$2" || { good='not ok'; failed=1; }
    echo "$good $((++number)) - $1"
}

words='x\tplain words\ny\t'
learn 'a line of 1 GB' refuses < <(printf "$words"; head -c 1000000000 /dev/zero | tr '\0' a; echo)
learn 'a line of 1 GB of words' refuses < <(printf "$words"; again 1000000000 'some words of a line '; echo)
learn 'a word of 60 MB' answers < <(printf "$words"; again 60000000 abcdefghij; echo)
learn '60 MB of accents' answers < <(printf "${words}e"; again 60000000 '\314\201\314\243'; echo)
learn '60 MB of accents that come apart' answers < <(printf "${words}e"; again 60000000 '\340\275\263'; echo)
learn '60 MB that grow eleven times' either < <(printf "$words"; again 60000000 '\357\267\272'; echo)
learn '60 MB of full-width forms' answers < <(printf "$words"; again 60000000 '\357\274\241\344\270\255 '; echo)
learn '20 MB of half surrogates' answers --encoding utf-8 < <(printf "$words"; again 20000000 '\355\240\200\377 '; echo)
learn '60 MB from right to left' answers < <(printf "$words"; again 60000000 '\342\200\256\327\251\327\234 '; echo)
once() { awk 'BEGIN { for (i = 0; i < 10000; i++) { printf "%s\t", i % 2 ? "x" : "y"
                      for (j = 0; j < 1000; j++) printf "w%d ", i * 1000 + j; print "" } }'; }
learn 'ten million words that occur once' either < <(once)
learn 'a million of them at most' refuses --max-words 1000000 < <(once)
echo "1..$number"
exit $failed
