#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: warning-logged-then-own
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3
# why: A refused connection is logged as a warning, then an error of its own that names nothing.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >p.py <<'EOF'
import logging, socket, sys
logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
try: socket.create_connection(("127.0.0.1", 9), 1)
except OSError as e: logging.warning("cache not reachable, going on without: %s", e)
logging.info("processed 30 rows")
logging.error("row 31: price is negative"); sys.exit(1)
EOF
python3 p.py
