#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-pdf-tools
# report: healthy
# expect: none
# outcome: ok
# needs: qpdf pdftotext pdfinfo gs
# why: A document is checked, taken apart and read.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
printf '%%!PS\n/Helvetica findfont 20 scalefont setfont 50 50 moveto (hello) show showpage\n' >a.ps
gs -q -dNOPAUSE -dBATCH -sDEVICE=pdfwrite -sOutputFile=a.pdf a.ps
qpdf --linearize a.pdf b.pdf
qpdf --check b.pdf >/dev/null
pdftotext b.pdf - | head -n 1
pdfinfo b.pdf | grep Pages
! pdftotext absent.pdf - 2>/dev/null
