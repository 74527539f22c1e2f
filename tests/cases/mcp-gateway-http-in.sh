#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-gateway-http-in
# report: own
# expect: level=sandbox primitive=seccomp cause=killed
# subject: symlink
# outcome: failed
# needs: python3
# why: HTTP in front, a stdio server behind that seccomp kills; the gateway answers 502
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" "$here/lib/picture.py" . || exit 77
. "$here/lib/filter.sh"
make_filter
cat >gateway.py <<'XEND'
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

import subprocess
P = subprocess.Popen(["./filter","kill","symlink","symlinkat","--","python3","server.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def hm(self, m):
    try:
        P.stdin.write(json.dumps(m).encode() + b"\n"); P.stdin.flush()
        if "id" not in m: return self.out(202, b"")
        a = P.stdout.readline()
        if not a: raise EOFError
        self.out(200, a)
    except (EOFError, OSError):
        self.out(502, b"Bad Gateway", "text/plain")
H.handle_message = hm
go()
XEND
cat >server.py <<'XEND'
from mcp_stdio import serve
import os
def publish(v):
    os.symlink(v, "current"); return "ok"
serve({"publish": publish})
XEND
cat >agent.py <<'XEND'
import http.client, json, subprocess, sys, os
class Http:
    def __init__(self, *cmd, **k):
        self.p = subprocess.Popen(cmd, stdout=subprocess.PIPE, **k)
        self.port = int(self.p.stdout.readline()); self.n = 0; self.session = None
        self.c = http.client.HTTPConnection("127.0.0.1", self.port)
        self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "agent", "version": "1"})
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
    def post(self, m):
        h = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self.session: h["Mcp-Session-Id"] = self.session
        self.c.request("POST", "/mcp", json.dumps(m), h)
        r = self.c.getresponse(); body = r.read()
        self.session = r.getheader("Mcp-Session-Id") or self.session
        return r, body
    def ask(self, method, **params):
        self.n += 1
        r, body = self.post({"jsonrpc": "2.0", "id": self.n, "method": method, "params": params})
        if r.status != 200: raise RuntimeError("HTTP %d %s" % (r.status, body.decode()))
        if "event-stream" in r.getheader("Content-Type"):
            evs = [json.loads(x[6:]) for x in body.decode().splitlines() if x.startswith("data: ")]
            return [e for e in evs if e.get("id") == self.n][0]["result"]
        a = json.loads(body)
        if "error" in a: raise RuntimeError(str(a["error"]))
        return a["result"]
    def text(self, tool, **a):
        r = self.ask("tools/call", name=tool, arguments=a)
        if r.get("isError"): raise RuntimeError(r["content"][0]["text"])
        return r["content"][0]["text"]
    def close(self):
        self.c.close(); self.p.terminate(); self.p.wait()
a = Http("python3","gateway.py")
try: print(a.text("publish", v="1"))
finally: a.close()
XEND
python3 agent.py
