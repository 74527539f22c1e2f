#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-http-read-only
# report: own
# expect: level=sandbox primitive=read-only cause=mount
# subject: store/minutes.md
# outcome: failed
# needs: python3 bwrap
# why: A server behind HTTP on the loopback interface may not write where its sandbox mounts read-only.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
bwrap --dev-bind / / true || exit 77
mkdir store
cat >server.py <<'END'
import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from mcp_stdio import reply

def save(path, content):
    with open(path, "w") as f:
        f.write(content)
    return "saved"

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        event = b"event: message\ndata: " + json.dumps(reply(request, {"save": save})).encode() + b"\n\n"
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"%x\r\n%s\r\n0\r\n\r\n" % (len(event), event))

server = HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
END
cat >agent.py <<'END'
import http.client
import json
import os
import subprocess
import sys

store = os.path.abspath("store")
sandbox = ["bwrap", "--dev-bind", "/", "/", "--ro-bind", store, store, "--die-with-parent", "--"]
server = subprocess.Popen(sandbox + ["python3", "server.py"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
connection = http.client.HTTPConnection("127.0.0.1", int(server.stdout.readline()))

def ask(number, method, **params):
    body = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    connection.request("POST", "/mcp", body, headers)
    event = connection.getresponse().read().decode()
    return json.loads(event.split("data: ")[1])["result"]

ask(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "agent", "version": "1"})
answer = ask(2, "tools/call", name="save", arguments={"path": "store/minutes.md", "content": "Nothing new.\n"})
connection.close()
server.terminate()
server.wait()
print(answer["content"][0]["text"])
sys.exit(answer["isError"])
END
python3 agent.py
