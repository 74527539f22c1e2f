# SPDX-License-Identifier: GPL-2.0-only
"""A small web service on loopback and several clients at once."""
import concurrent.futures
import http.server
import json
import sys
import threading
import urllib.error
import urllib.request

n = int(sys.argv[1])


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        status = 200 if self.path.startswith("/square/") else 404
        body = b"{}"
        if status == 200:
            body = json.dumps({"square": int(self.path.rsplit("/", 1)[1]) ** 2}).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = "http://127.0.0.1:%d" % server.server_port


def ask(x):
    with urllib.request.urlopen("%s/square/%d" % (base, x), timeout=10) as reply:
        return json.load(reply)["square"]


with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
    assert list(pool.map(ask, range(n, n + 40))) == [x * x for x in range(n, n + 40)]
try:
    urllib.request.urlopen(base + "/nowhere", timeout=10)
    raise SystemExit("no 404")
except urllib.error.HTTPError as e:
    assert e.code == 404
server.shutdown()
print("http: 40 answers and one 404")
