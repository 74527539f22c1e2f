#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: cpu-throttled-earlier
# report: own
# expect: level=interface primitive=deadline cause=killed
# subject: timeout
# outcome: failed
# needs: timeout python3
# why: The cgroup was throttled by an earlier program; the one that is killed only sleeps.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
. "$(dirname "$0")/lib/limit.sh"
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
in_limited_cgroup cpu=20 -- sh -c '
	python3 -c "for i in range(8 * 10**6): pass"
	exec timeout 1 python3 -c "import time; time.sleep(9)"' || exit 1
