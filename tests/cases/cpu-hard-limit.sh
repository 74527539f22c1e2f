#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: cpu-hard-limit
# report: own
# expect: level=sandbox primitive=cpu cause=time-limit
# outcome: failed
# needs: python3 prlimit
# why: At the hard RLIMIT_CPU the kernel kills with SIGKILL, which nobody sent.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
prlimit --cpu=1:1 python3 -c 'while True: pass'
