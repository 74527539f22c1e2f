#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-timeout-tools
# report: healthy
# expect: none
# outcome: ok
# needs: timeout nice ionice taskset flock nohup stdbuf chrt
# why: The small launchers of one command each.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
timeout 5 true
nice -n 5 true
ionice -c 3 true
taskset -c 0 true
chrt -b 0 true
flock lock true
nohup true >/dev/null 2>&1
stdbuf -oL echo hi
setsid -w true
prlimit --nofile=64 true
env -i /bin/true
flock -n lock true
