#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-html-answer
# report: own
# expect: level=interface primitive=protocol cause=not-json
# outcome: failed
# needs: python3
# why: Instead of the server a proxy answers the POST, with status 200 and a page for people.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from mcp_stdio import reply

served = 0

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        global served
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        served += 1
        body, kind = json.dumps(reply(request, {"now": lambda: "noon"})).encode(), "application/json"
        if served == 3:
            body, kind = b"<html><body>Please sign in.</body></html>", "text/html"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass

server = HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
END
cat >agent.py <<'END'
import http.client
import json
import subprocess
import sys

server = subprocess.Popen([sys.executable, "server.py"], stdout=subprocess.PIPE)
connection = http.client.HTTPConnection("127.0.0.1", int(server.stdout.readline()))

def ask(number, method, **params):
    body = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    connection.request("POST", "/mcp", body, headers)
    return json.loads(connection.getresponse().read())["result"]

try:
    ask(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "a", "version": "1"})
    for number in (2, 3):
        print(ask(number, "tools/call", name="now", arguments={})["content"][0]["text"])
finally:
    server.terminate()
END
python3 agent.py
