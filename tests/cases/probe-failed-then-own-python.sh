#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: probe-failed-then-own-python
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3
# why: python likewise, with shell=True.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >a.py <<'EOF'
import subprocess, sys
r = subprocess.run("absent-vcs describe", shell=True, capture_output=True, text=True)
v = r.stdout if r.returncode == 0 else "unknown"
print("version", v); print("invalid schema: missing field name"); sys.exit(1)
EOF
python3 a.py
