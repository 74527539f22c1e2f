#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-http-server-oom
# report: own
# expect: level=sandbox primitive=memory cause=oom-cgroup
# subject: limited-case
# outcome: failed
# needs: python3
# why: A server behind HTTP is killed for its memory in the midst of a call; its client sees a connection that ends.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
. "$here/lib/limit.sh"
cat >server.py <<'END'
import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from mcp_stdio import reply

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps(reply(request, {"load": lambda n: str(len([bytearray(b"x" * (1 << 20)) for _ in range(n)]))}))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *args):
        pass

server = HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
END
cat >server.sh <<END
. "$here/lib/limit.sh"
in_limited_cgroup memory=64M -- python3 server.py
END
cat >agent.py <<'END'
import http.client
import json
import subprocess

server = subprocess.Popen(["sh", "server.sh"], stdout=subprocess.PIPE)
connection = http.client.HTTPConnection("127.0.0.1", int(server.stdout.readline()))

def ask(number, method, **params):
    body = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    connection.request("POST", "/mcp", body, headers)
    return json.loads(connection.getresponse().read())["result"]

ask(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "agent", "version": "1"})
for number, megabytes in ((2, 8), (3, 400)):
    print(ask(number, "tools/call", name="load", arguments={"n": megabytes})["content"][0]["text"])
END
python3 agent.py
