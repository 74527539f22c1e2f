#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: timeout-python-subprocess
# report: own
# expect: level=interface primitive=deadline cause=killed
# subject: python3
# outcome: failed
# needs: python3
# why: subprocess kills the child at its time limit and raises.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >run.py <<'EOF'
import subprocess

subprocess.run(["sleep", "20"], timeout=0.4)
EOF
python3 run.py
