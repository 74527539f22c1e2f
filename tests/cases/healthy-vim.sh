#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-vim
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: vim
# why: A file is edited by a script; the editor looks for its runtime files, a swap file and a terminal.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
vim=$(command -v vim || command -v vim.tiny) || exit 77
seq 1 10 >f
HOME=$d $vim -es -u NONE -i NONE -c '%s/1/one/g' -c 'write' -c 'quit' f </dev/null
grep -c one f
HOME=$d $vim -e -s -c 'edit new' -c 'normal ihello' -c 'write' -c 'qall' </dev/null >/dev/null 2>&1
cat new
