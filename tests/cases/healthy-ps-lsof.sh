#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-ps-lsof
# report: healthy
# expect: none
# outcome: ok
# needs: ps lsof top free uptime
# why: The tools that look at every process, some of which end meanwhile.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
ps -ef >/dev/null
ps axo pid,stat,wchan,cmd >/dev/null
top -b -n 1 >/dev/null
free >/dev/null
lsof -w -p $$ >/dev/null
exec 9>open
lsof -w -t "$d/open" | wc -l
vmstat >/dev/null
uptime >/dev/null
