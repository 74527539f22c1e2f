#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tests-pytest-none-collected
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3 pytest
# why: No tests collected: exit 5, after a conftest that probes.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >conftest.py <<'EOF'
import socket
try: socket.create_connection(("127.0.0.1", 9), 1)
except OSError as e: print("no service:", e)
try: open("/absent/cfg")
except OSError as e: print(e)
EOF
python3 -m pytest -q -p no:cacheprovider
