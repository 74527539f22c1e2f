#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-oom-supervised
# report: own
# expect: level=sandbox primitive=memory cause=oom-cgroup
# subject: limited-case
# outcome: ok
# needs: python3
# why: the server is OOM-killed, its client starts it anew and does without that call
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" "$here/lib/picture.py" . || exit 77
cat >limited.sh <<E2
. "$here/lib/limit.sh"
in_limited_cgroup memory=64M -- python3 server.py
E2
cat >server.py <<'XEND'
from mcp_stdio import serve
serve({"load": lambda n: str(len(bytearray(b"x") * n))})
XEND
cat >agent.py <<'XEND'
import sys, json, os, base64
from mcp_stdio import Client, Refused

a = Client("sh","limited.sh")
try: a.text("load", n=300 << 20)
except (EOFError, BrokenPipeError): print("gone")
a.server.wait()
a = Client("sh","limited.sh")
print(a.text("load", n=10)); a.close()
XEND
python3 agent.py
