#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: cpu-throttled-timeout
# report: own
# expect: level=sandbox primitive=cpu cause=throttled
# subject: /limited-case
# outcome: failed
# needs: timeout python3
# why: A quota of 5 % of a CPU makes a small computation miss the time limit: the kill is an echo.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
. "$(dirname "$0")/lib/limit.sh"
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >work.py <<'EOF'
x = 0
for i in range(30_000_000):
    x += i
print(x)
EOF
in_limited_cgroup cpu=5 -- timeout 1.5 python3 work.py || exit 1
