#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tool-missing-fallback
# report: own
# expect: none
# subject: execve
# outcome: ok
# needs: python3
# why: The fast tool is absent, the slow one does.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >format.py <<'EOF'
import subprocess

try:
    subprocess.run(["case-formatter", "x"])
except FileNotFoundError:
    subprocess.run(["true"], check=True)
EOF
python3 format.py
