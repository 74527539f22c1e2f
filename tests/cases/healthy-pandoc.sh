#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-pandoc
# report: healthy
# expect: none
# outcome: ok
# needs: pandoc
# why: A text is turned into two other formats.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
command -v pandoc >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
printf '# Title\n\nSome *text*.\n' >a.md
HOME=$d pandoc -s --metadata title=case -o a.html a.md && HOME=$d pandoc -o a.docx a.md && ls a.html a.docx
