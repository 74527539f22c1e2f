#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-gateway-sibling-oom
# report: own
# expect: level=sandbox primitive=memory cause=oom-cgroup
# subject: limited-case
# outcome: failed
# needs: python3
# why: the HTTP server behind a gateway is OOM-killed, the gateway answers isError with its own words
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
import http.client, json, sys
c = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
for line in sys.stdin:
    m = json.loads(line)
    c.request("POST", "/mcp", line.encode(), {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"})
    try: r = c.getresponse(); b = r.read()
    except OSError as e:
        print(json.dumps({"jsonrpc": "2.0", "id": json.loads(line)["id"], "result": {"content": [{"type": "text", "text": "upstream: %s" % e}], "isError": True}}), flush=True); continue
    if r.status == 200:
        sys.stdout.write(json.dumps(json.loads(b.decode("utf-8"))) + "\n"); sys.stdout.flush()
XEND
cat >server.py <<'XEND'
import json, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mcp_stdio import reply
class H(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *a): pass
    def out(self, code, body, kind="application/json", **h):
        self.send_response(code)
        self.send_header("Content-Type", kind)
        for k, v in h.items(): self.send_header(k.replace("_", "-"), v)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def do_POST(self):
        m = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.handle_message(m)
    def handle_message(self, m):
        if isinstance(m, list):
            a = [x for x in (reply(y, TOOLS) for y in m) if x]
        else:
            a = reply(m, TOOLS)
        self.out(200 if a else 202, json.dumps(a).encode() if a else b"")
def go():
    s = ThreadingHTTPServer(("127.0.0.1", 0), H)
    print(s.server_address[1], flush=True)
    s.serve_forever()
TOOLS = {"load": lambda: str(len(bytearray(b"x") * (300 << 20)))}
go()
XEND
cat >agent.py <<'XEND'
import sys, json, os, base64
from mcp_stdio import Client, Refused
import subprocess
s = subprocess.Popen(["sh","limited.sh"], stdout=subprocess.PIPE)
port = s.stdout.readline().decode().strip()
a = Client("python3", "gateway.py", port)
try: print(a.text("load"))
finally: s.wait()
XEND
python3 agent.py
