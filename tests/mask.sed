# SPDX-License-Identifier: Apache-2.0
#
# What a clock says differs from run to run. The one pattern that hides it (sed -E); used by cli.sh and readme.sh.
s/("seconds": ?)[0-9][0-9.e+-]*|[0-9]+\.[0-9]+( s\b)|[0-9][0-9.,]*[kMG]?( rows\/s)|[0-9][0-9.,]*( MB\/s)/\1#\2\3\4/g
