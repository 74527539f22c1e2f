#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: cpu-throttled-finishes
# report: own
# expect: none
# outcome: ok
# needs: python3
# why: Throttled, slow, and done in time: no failure.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
. "$(dirname "$0")/lib/limit.sh"
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
in_limited_cgroup cpu=10 -- python3 -c 'import os; [os.path.exists("/nonexistent/%d" % i) for i in range(100000)]'
