#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-gateway-latin1-request
# report: own
# expect: level=interface primitive=encoding cause=utf8
# subject: towns.txt
# outcome: failed
# needs: python3
# why: A gateway takes the UTF-8 that it reads for Latin-1, and hands on what comes of that; the call behind it went well.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
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
import json
import os
import subprocess
import sys
from mcp_stdio import Client

upstream = subprocess.Popen(["python3", "server.py"], stdout=subprocess.PIPE)
port = upstream.stdout.readline().decode().strip()
agent = Client("env", "PYTHONIOENCODING=latin-1", "python3", "gateway.py", port)
arguments = {"path": "towns.txt", "content": "K\u00f6ln, M\u00e1laga\n" * 20}
request = {"jsonrpc": "2.0", "id": 50, "method": "tools/call"}
request["params"] = {"name": "write_file", "arguments": arguments}
agent.server.stdin.write(json.dumps(request, ensure_ascii=False).encode() + b"\n")
agent.server.stdin.flush()
agent.wait(50)
agent.close()
upstream.kill()
upstream.wait()
with open("towns.txt", encoding="utf-8") as f:
    if "K\u00f6ln" not in f.read():
        sys.exit("towns.txt is damaged")
END
python3 agent.py
