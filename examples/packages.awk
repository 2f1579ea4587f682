# SPDX-License-Identifier: Apache-2.0
#
# packages.awk: apt-cache dumpavail -> "section TAB one-line description", one line per package name.
/^Package: / { name = $2 }
/^Section: / { section = $2 }
/^Description(-en)?: / { sub(/^[^:]*: */, ""); gsub(/\t/, " "); text = $0 }
/^$/ {
    if (section != "" && text != "" && !(name in seen))
        print section "\t" text
    seen[name]
    section = text = ""
}
