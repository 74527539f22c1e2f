#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: cpu-throttled-own-deadline
# report: own
# expect: level=sandbox primitive=cpu cause=throttled
# subject: /limited-case
# outcome: failed
# needs: python3
# why: The program watches the clock itself, and gives up because its cgroup gets no CPU.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
. "$(dirname "$0")/lib/limit.sh"
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >work.py <<'EOF'
import sys, time
end = time.monotonic() + 1.2
for i in range(100_000_000):
    if time.monotonic() > end:
        sys.exit("work.py: step %d: timed out after 1.2 s" % i)
EOF
in_limited_cgroup cpu=5 -- python3 work.py || exit 1
