# SPDX-License-Identifier: Apache-2.0
#
# The completions of zsh and fish, read by these shells.
needs() { command -v "$1" >/dev/null || { echo "no $1"; exit 77; }; }
needs zsh
needs fish
ilk help --completion zsh >_ilk
zsh -fn _ilk && echo "zsh reads it"
zsh -f -c 'autoload -U compinit; compinit -u -d dump; fpath=(. $fpath); autoload -U +X _ilk && echo "and loads it"' 2>&1
ilk help --completion fish >ilk.fish
fish --no-config -n ilk.fish && echo "fish reads it"
offers() { fish --no-config -c "source ilk.fish; complete -C '$1'" | cut -f1 | tr '\n' ' '; echo "<- $1"; }
offers 'ilk up'
offers 'ilk help fo'
offers 'ilk predict --pos'
offers 'ilk train --divisor '
offers 'ilk sample --po'
