#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: stdio-server-closed
# report: own
# expect: none
# outcome: ok
# needs: python3
# why: A tool server is closed by its client after the last answer, and then terminated.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >server.py <<'EOF'
import json, sys, time

for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": {"ok": True}}), flush=True)
time.sleep(30)
EOF
cat >client.py <<'EOF'
import json, subprocess, sys

server = subprocess.Popen([sys.executable, "server.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for i in range(3):
    server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": i, "method": "ping"}) + "\n")
    server.stdin.flush()
    print(server.stdout.readline().strip())
server.stdin.close()
try:
    server.wait(0.3)
except subprocess.TimeoutExpired:
    server.terminate()
    server.wait()
EOF
python3 client.py
