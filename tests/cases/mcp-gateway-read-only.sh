#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-gateway-read-only
# report: own
# expect: level=sandbox primitive=read-only cause=mount
# subject: out/report.json
# outcome: failed
# needs: python3 bwrap
# why: A gateway words the messages anew; the mount that refuses lies behind it, in a server that is none of its own.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
mkdir out
bwrap --dev-bind / / true || exit 77
cat >gateway.py <<'END'
import http.client
import json
import sys

upstream = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
kind = {"Content-Type": "application/json", "Accept": "application/json"}
for line in sys.stdin:
    upstream.request("POST", "/mcp", line.encode(), kind)
    answer = upstream.getresponse()
    body = answer.read()
    if answer.status == 200:
        print(json.dumps(json.loads(body)), flush=True)
END
cat >server.py <<'END'
import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from mcp_stdio import reply

class Upstream(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *a):
        pass

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = reply(request, {"write_file": write_file})
        body = json.dumps(answer, indent=1).encode() if answer else b""
        self.send_response(200 if answer else 202)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

def write_file(path, content):
    with open(path, "w", encoding="utf-8") as f:
        f.write(content)
    return "written"

upstream = HTTPServer(("127.0.0.1", 0), Upstream)
print(upstream.server_address[1], flush=True)
upstream.serve_forever()
END
cat >agent.py <<'END'
import os
import subprocess
from mcp_stdio import Client

out = os.path.abspath("out")
box = ["bwrap", "--dev-bind", "/", "/", "--ro-bind", out, out, "--die-with-parent", "--"]
upstream = subprocess.Popen(box + ["python3", "server.py"], stdout=subprocess.PIPE)
agent = Client("python3", "gateway.py", upstream.stdout.readline().decode().strip())
try:
    agent.text("write_file", path="out/report.json", content="{}")
finally:
    upstream.kill()
    upstream.wait()
END
python3 agent.py
