#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-gateway-backend-oom
# report: own
# expect: level=sandbox primitive=memory cause=oom-cgroup
# subject: limited-case
# outcome: failed
# needs: python3
# why: a stdio gateway answers -32000 when its backend is OOM-killed
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" "$here/lib/picture.py" . || exit 77
cat >limited.sh <<E2
. "$here/lib/limit.sh"
in_limited_cgroup memory=64M -- python3 server.py
E2
cat >gateway.py <<'XEND'
import json, subprocess, sys
p = subprocess.Popen(["sh", "limited.sh"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for line in sys.stdin:
    m = json.loads(line)
    try:
        p.stdin.write(line.encode()); p.stdin.flush()
        if "id" not in m: continue
        a = p.stdout.readline()
        if not a: raise EOFError
        sys.stdout.write(a.decode())
    except (EOFError, OSError):
        print(json.dumps({"jsonrpc": "2.0", "id": m.get("id"), "error": {"code": -32000, "message": "upstream server closed"}}))
    sys.stdout.flush()
XEND
cat >server.py <<'XEND'
from mcp_stdio import serve
serve({"load": lambda: str(len(bytearray(b"x") * (300 << 20)))})
XEND
cat >agent.py <<'XEND'
import sys, json, os, base64
from mcp_stdio import Client, Refused
a = Client("python3","gateway.py")
print(a.text("load"))
XEND
python3 agent.py
