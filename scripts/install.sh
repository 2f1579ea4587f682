#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# install.sh install|uninstall PREFIX, below $DESTDIR.
#
# Uninstalling removes exactly what installing wrote: its files, and the folders that were not there before. CMake's
# manifest does not know which folders are new, so each place has a record of its own, share/ilk/installed, which is the
# last to go; it does not need the tree that was built.
set -euo pipefail
cd "$(dirname "$0")/.."
action=$1 prefix=$2 root=${DESTDIR:-}
case $prefix in /*) ;; *) echo "install: PREFIX must be an absolute path: $prefix" >&2; exit 2 ;; esac
case $root in /* | '') ;; *) root=$PWD/$root ;; esac
prefix=/$(printf %s "$prefix" | sed 's|//*|/|g; s|^/||; s|/$||')
record=$root${prefix%/}/share/ilk/installed

install_files() {
    DESTDIR=$1 cmake --install build --prefix "$prefix" >build/install.log || { cat build/install.log; exit 1; }
}

# The folders above each given file that do not exist yet, up to $root.
new_folders() {
    while IFS= read -r path; do
        while path=${path%/*} && [ "${#path}" -ge "${#root}" ] && [ -n "$path" ] && [ ! -d "$path" ]; do
            echo "$path"
        done
    done
}

case $action in
install)
    stage=$(mktemp -d)
    trap 'rm -rf "$stage"' EXIT
    install_files "$stage"                              # a rehearsal, to learn the names
    files=$(cd "$stage" && find . ! -type d | sed "s|^\.|$root|" && echo "$record")
    folders=$(new_folders <<<"$files")
    mkdir -p "${record%/*}"
    touch "$record"
    printf '%s\n' "$files" "$folders" | sed "s|^$root\$|/|; s|^$root||" | cat "$record" - | sed '/^$/d' |
        sort -u >"$record.new"
    mv "$record.new" "$record"                          # before writing: an interrupted install can be undone
    install_files "$root"
    ;;
uninstall)
    [ -f "$record" ] || { echo "uninstall: nothing is installed in $root$prefix" >&2; exit 1; }
    list=$(sort -r "$record")                           # it will be gone before the last folder
    printf '%s\n' "$list" | sed "s|^|$root|" | while IFS= read -r path; do     # a folder sorts before what is in it
        if [ -d "$path" ] && [ ! -L "$path" ]; then
            rmdir "$path" 2>/dev/null || true           # someone else's files may be in it by now
        else
            rm -f "$path"
        fi
    done
    ;;
*) echo "usage: install.sh install|uninstall PREFIX" >&2; exit 2 ;;
esac

# Let programs find a library that went to a system folder.
if [ -z "$root" ] && [ "$(id -u)" = 0 ]; then ldconfig; fi
