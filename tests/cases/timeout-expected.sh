#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: timeout-expected
# report: own
# expect: none
# outcome: ok
# needs: python3
# why: The child is killed at its time limit, and the program had reckoned with that.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >report.py <<'EOF'
import subprocess

try:
    subprocess.run(["sleep", "20"], timeout=0.3)
except subprocess.TimeoutExpired:
    print("slow, going on without it")
EOF
python3 report.py
