#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-ghostscript
# report: healthy
# expect: none
# outcome: ok
# needs: gs
# why: A page is drawn to a file; fonts and resources are searched in many places.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
printf '%%!PS\n/Helvetica findfont 20 scalefont setfont 50 50 moveto (hello) show showpage\n' >a.ps
gs -q -dNOPAUSE -dBATCH -sDEVICE=pdfwrite -sOutputFile=a.pdf a.ps
gs -q -dNOPAUSE -dBATCH -sDEVICE=png16m -r20 -sOutputFile=a.png a.pdf
ls a.pdf a.png
