#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# locale.sh: print the folder (for LOCPATH) of a locale that writes 0,5 for 0.5, de_DE.UTF-8, made on demand.
# Where it cannot be made: says so on stderr and exits 77, which a test hands on as its own skip.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
out=$top/build/locale
if [ ! -d "$out/de_DE.UTF-8" ]; then
    [ -f /usr/share/i18n/locales/de_DE ] && command -v localedef >/dev/null ||
        { echo "no comma locale: the package locales is missing" >&2; exit 77; }
    mkdir -p "$out"
    exec 9>"$out/.lock"
    flock 9                                             # two tests may want it at once
    if [ ! -d "$out/de_DE.UTF-8" ]; then
        localedef --no-archive --quiet -c -i de_DE -f UTF-8 "$out/part" >&2
        mv "$out/part" "$out/de_DE.UTF-8"               # a half-made one is never seen
    fi
fi
echo "$out"
