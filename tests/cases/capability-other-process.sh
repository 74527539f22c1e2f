#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: capability-other-process
# report: own
# expect: level=sandbox primitive=capability cause=missing
# subject: CAP_SYS_PTRACE
# outcome: failed
# needs: setpriv cat
# why: What lies in another user's memory takes the right to trace it, though the mode lets everybody read it.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
setpriv --reuid=65534 --regid=65534 --clear-groups cat "/proc/$$/maps"
