#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# deps.sh [--missing] build|test|all|format: install the Debian packages that a job needs.
#
# With all of them present it says nothing and touches no network. Where it cannot install (no root, no apt, no network)
# it says what is missing and goes on: the build names what it cannot do without. --missing only lists.
set -euo pipefail

# A|B: either will do; A is installed if neither is there.
build='gcc libc6-dev make cmake pkgconf|pkg-config libxxhash-dev libutf8proc-dev zlib1g-dev
    liblzma-dev libzstd-dev libjansson-dev'
test="$build libcmocka-dev g++ xz-utils zstd jq groff-base locales valgrind libc6-dbg zsh fish"
all="$test clang|clang-14 libclang-rt-14-dev|libclang-rt-dev llvm|llvm-14 python3 python3-sklearn
    r-base-core r-cran-mass r-cran-e1071 qemu-user"
format='clang-format|clang-format-14'

only_list=no
if [ "${1:-}" = --missing ]; then only_list=yes; shift; fi
case ${1:-} in
build | test | all | format) wanted=${!1} ;;
*) echo 'usage: deps.sh [--missing] build|test|all|format' >&2; exit 2 ;;
esac

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

missing=()
for choice in $wanted; do
    for package in ${choice//|/ }; do
        ! installed "$package" || continue 2
    done
    missing+=("${choice%%|*}")
done
[ ${#missing[@]} -gt 0 ] || exit 0
if [ $only_list = yes ]; then
    printf '%s\n' "${missing[@]}"
    exit 0
fi

if ! command -v apt-get >/dev/null; then
    # Not a Debian: nobody can say by package names what is there, so say what is needed and let the build look.
    echo "deps: no apt here; needed are, by Debian's names: ${missing[*]}" >&2
    exit 0
fi
line="apt-get install -y --no-install-recommends ${missing[*]}"
if [ "$(id -u)" != 0 ]; then
    echo "deps: not root, so going on without ${missing[*]}; to install: sudo $line" >&2
    exit 0
fi

echo "deps: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
update() { apt-get -q update; }
install() { $line -q -o DPkg::Lock::Timeout=300; }

# Fresh lists only if there are none, or if they proved too old.
compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null || update || true
install || { update && install; } || echo "deps: could not install ${missing[*]}; going on with what is there" >&2
