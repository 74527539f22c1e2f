#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: timeout-ends-well
# report: own
# expect: level=interface primitive=deadline cause=killed
# subject: timeout
# outcome: failed
# needs: timeout python3
# why: The program ends with 0 when the time limit's SIGTERM comes, but timeout says 124.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >serve.py <<'EOF'
import signal, sys, time

signal.signal(signal.SIGTERM, lambda *args: sys.exit(0))
time.sleep(20)
EOF
timeout 0.8 python3 serve.py || exit 1
