#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-http-unix-socket
# report: own
# expect: level=interface primitive=encoding cause=replacement
# subject: photo.png
# outcome: failed
# needs: python3
# why: HTTP over a unix socket: a picture is decoded as text on its way into the request; what is stored is no picture.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
python3 "$here/lib/picture.py" photo.png 64 || exit 77
mkdir store
cat >server.py <<'END'
import json
import socketserver
from http.server import BaseHTTPRequestHandler
from mcp_stdio import reply

def upload(name, content):
    with open("store/" + name, "w", encoding="utf-8") as f:
        f.write(content)
    return "%d characters" % len(content)

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps(reply(request, {"upload": upload})).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def address_string(self):
        return "unix"

server = socketserver.UnixStreamServer("mcp.sock", Handler)
print("ready", flush=True)
server.serve_forever()
END
cat >agent.py <<'END'
import http.client
import json
import socket
import subprocess
import sys

class Connection(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect("mcp.sock")

server = subprocess.Popen([sys.executable, "server.py"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
server.stdout.readline()
connection = Connection("localhost")

def ask(number, method, **params):
    body = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    connection.request("POST", "/mcp", body, headers)
    return json.loads(connection.getresponse().read())["result"]

ask(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "agent", "version": "1"})
photo = open("photo.png", "rb").read()
text = photo.decode(errors="replace")
answer = ask(2, "tools/call", name="upload", arguments={"name": "photo.png", "content": text})
print(answer["content"][0]["text"])
connection.close()
server.terminate()
server.wait()
if open("store/photo.png", "rb").read() != photo:
    sys.exit("store/photo.png differs")
END
python3 agent.py
