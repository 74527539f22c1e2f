#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: cpu-soft-limit-handled
# report: own
# expect: none
# outcome: ok
# needs: python3 prlimit
# why: A solver keeps its best result when SIGXCPU comes and ends well.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >solve.py <<'EOF'
import signal, sys

def stop(*args):
    print("best so far")
    sys.stdout.flush()
    sys.exit(0)

signal.signal(signal.SIGXCPU, stop)
while True:
    pass
EOF
prlimit --cpu=1:5 python3 solve.py
