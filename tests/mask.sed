# SPDX-License-Identifier: Apache-2.0
#
# What a clock says differs from run to run. The one place that hides it (sed -E); used by cli.sh and readme.sh.
s/[0-9]+\.[0-9]+ s\b/# s/g
s/[0-9][0-9.,]*[kMG]? rows\/s/# rows\/s/g
s/[0-9][0-9.,]* MB\/s/# MB\/s/g
s/("seconds": ?)[0-9][0-9.e+-]*/\1#/g
