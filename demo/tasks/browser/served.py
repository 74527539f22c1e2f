# SPDX-License-Identifier: GPL-2.0-only
"""A page from a server on port 80 of the sandbox's own loopback that fetches more from it."""
import http.server
import json
import sys
import threading

import chromium

n = int(sys.argv[1])
PAGE = b"""<!doctype html><title>waiting</title><ul id=l></ul><script>
fetch('/data.json').then((r) => r.json()).then((list) => {
  for (const x of list) {
    const li = document.createElement('li');
    li.textContent = 'value ' + x;
    document.getElementById('l').append(li);
  }
  document.title = 'loaded ' + list.length;
});
</script>"""


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = PAGE if self.path == "/" else json.dumps([n + i for i in range(10)]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if self.path == "/" else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 80), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
dom = chromium.run("http://127.0.0.1/", "--dump-dom", "--virtual-time-budget=3000")
assert "<title>loaded 10</title>" in dom, dom
assert "<li>value %d</li>" % (n + 9) in dom, dom
print("served: page and data over HTTP")
