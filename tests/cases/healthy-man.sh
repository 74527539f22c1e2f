#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-man
# report: healthy
# expect: none
# outcome: ok
# needs: man
# why: A manual page is found in a directory of its own and shown; another is absent.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
mkdir -p man/man1
printf '.TH CASE 1\n.SH NAME\ncase \\- hello\n' >man/man1/case.1
MANPATH=$d/man MANROFFOPT='' HOME=$d man -P cat case 2>/dev/null | head -n 5
MANPATH=$d/man HOME=$d man -P cat no-such-page 2>/dev/null || echo 'no such page'
