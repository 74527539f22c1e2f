#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: warning-logged-as-json
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3
# why: A refusal that was got over is logged as JSON at level warn; the error is the program's own.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >p.py <<'EOF'
import json, socket, sys
def log(level, msg, **k): print(json.dumps({"level": level, "msg": msg, **k}))
try: socket.create_connection(("127.0.0.1", 9), 1)
except OSError as e: log("warn", "metrics sink not available, going on without", err=str(e))
log("info", "loaded 3 records")
log("error", "validation failed: record 2 has a negative price")
sys.exit(2)
EOF
python3 p.py
