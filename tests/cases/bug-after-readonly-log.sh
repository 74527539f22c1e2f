#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: bug-after-readonly-log
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: bwrap python3
# why: A log that nobody needs is refused, then the program has a bug.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
mkdir logs
cat >report.py <<'EOF'
try:
    open("logs/debug.log", "w")
except OSError:
    pass
data = {"a": 1}
print(data["b"])
EOF
bwrap --dev-bind / / --ro-bind "$d/logs" "$d/logs" python3 report.py
