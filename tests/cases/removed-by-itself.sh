#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: removed-by-itself
# report: own
# expect: level=workload primitive=exit cause=missing-file
# subject: result.txt
# outcome: failed
# needs: python3
# why: The program removed its file by itself and looks for it later.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >report.py <<'EOF'
import os

open("result.txt", "w").write("x")
os.remove("result.txt")
print(open("result.txt").read())
EOF
python3 report.py
