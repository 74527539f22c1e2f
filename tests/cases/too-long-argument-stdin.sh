#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: too-long-argument-stdin
# report: own
# expect: none
# outcome: ok
# needs: python3
# why: The text does not fit into an argument, so it goes through the standard input.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >count.py <<'EOF'
import subprocess

text = "x" * 300000
try:
    subprocess.run(["wc", "-c", text], check=True)
except OSError:
    subprocess.run(["wc", "-c"], input=text.encode(), check=True)
EOF
python3 count.py
