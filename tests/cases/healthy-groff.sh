#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-groff
# report: healthy
# expect: none
# outcome: ok
# needs: groff
# why: A manual page is formatted for a terminal and for a printer.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
command -v groff >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
printf '.TH CASE 1\n.SH NAME\ncase \\- hello\n' >case.1
groff -man -Tascii case.1 | head -n 5
groff -man -Tps case.1 >case.ps
test -s case.ps
