#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# install.sh: install, use from outside, uninstall, and nothing is left. As TAP.
set -uo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1
work=$(mktemp -d "${TMPDIR:-/tmp}/ilk-install.XXXXXX")
trap 'rm -rf "$work" "$top"/build/installed*ilk_install*' EXIT
export DESTDIR=$work/dest
root=$DESTDIR/usr
export PKG_CONFIG_PATH=$root/lib/pkgconfig LC_ALL=C
. tests/tap.sh

version() { pkg-config --modversion ilk; }
expected() {
    local header
    for header in include/*.h; do echo "$header"; done
    "$root/bin/ilk" help | sed -n '/^Commands/,/^$/s|^  \([a-z]*\) .*|share/man/man1/ilk-\1.1|p'
    cat <<EOF
bin/ilk
lib/cmake/ilk/ilk-config-version.cmake
lib/cmake/ilk/ilk-config.cmake
lib/cmake/ilk/ilk-targets-release.cmake
lib/cmake/ilk/ilk-targets.cmake
lib/libilk.a
lib/libilk.so
lib/libilk.so.$(version | cut -d. -f1)
lib/libilk.so.$(version)
lib/pkgconfig/ilk.pc
share/bash-completion/completions/ilk
share/fish/vendor_completions.d/ilk.fish
share/ilk/installed
share/man/man1/ilk.1
share/zsh/site-functions/_ilk
EOF
}
list_is_right() { diff <(expected | sort) <(cd "$root" && find . ! -type d | sed 's|^\./||' | sort); }
soname_is_right() { objdump -p "$root/lib/libilk.so" | grep -q "SONAME *libilk.so.$(version | cut -d. -f1)\$"; }
no_path_inside() { ! grep -rlF "$top" "$root"; }        # of the tree it was built in
pages_are_there() {
    [ "$(grep -L '^\.TH' "$root"/share/man/man1/*)" = '' ] && bash -n "$root/share/bash-completion/completions/ilk"
}

says_version() { [ "$(LD_LIBRARY_PATH=$root/lib "$1")" = "$(version)" ]; }
shared() {
    gcc -Wall -Werror tests/outside/outside.c -o "$work/shared" $(pkg-config --cflags --libs ilk) &&
        says_version "$work/shared" && objdump -p "$work/shared" | grep -q 'NEEDED.*libilk'
}
static() {  # -l:libilk.a, because -lilk would take the shared one
    gcc -Wall -Werror tests/outside/outside.c -o "$work/static" \
        $(pkg-config --static --cflags --libs ilk | sed "s/-lilk/-l:libilk.a/") &&
        says_version "$work/static" && ! objdump -p "$work/static" | grep 'NEEDED.*libilk'
}
found() {
    cmake -S tests/outside -B "$work/found" -DCMAKE_PREFIX_PATH="$root" && env -u DESTDIR cmake --build "$work/found" &&
        says_version "$work/found/outside"
}
empty() { [ ! -e "$DESTDIR" ] || { find "$DESTDIR"; false; }; }
neighbours_stay() {     # what was there before is there afterwards, even an empty folder
    mkdir -p "$root/share/man" "$root/include" && touch "$root/include/other.h" &&
        scripts/install.sh install /usr && scripts/install.sh install /usr && scripts/install.sh uninstall /usr &&
        diff <(printf '%s\n' . ./include ./include/other.h ./share ./share/man) <(cd "$root" && find . | sort)
}

check 'install' scripts/install.sh install /usr
check 'the installed files are as expected' list_is_right
check 'soname' soname_is_right
check 'no path of the build tree inside' no_path_inside
check 'man page and completion' pages_are_there
check 'the command runs' "$root/bin/ilk" --version
check 'outside program, pkg-config, shared' shared
check 'outside program, pkg-config, static' static
check 'outside program, find_package' found
check 'uninstall' scripts/install.sh uninstall /usr
check 'nothing is left' empty
check 'uninstall leaves what was there before' neighbours_stay
plan
