#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: network-proxy-fail-flag
# report: own
# expect: level=sandbox primitive=network cause=denied
# subject: 127.0.0.1:
# outcome: failed
# needs: python3 curl
# why: The egress proxy answers a plain request with 403, and curl -f only says "error: 403".
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >proxy.py <<'EOF'
import http.server, socketserver

class Proxy(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_error(403, "Forbidden by egress policy")

proxy = socketserver.TCPServer(("127.0.0.1", 0), Proxy)
print(proxy.server_address[1], flush=True)
proxy.serve_forever()
EOF
python3 -u proxy.py >port 2>log & p=$!
trap 'kill "$p" 2>/dev/null; rm -rf "$d"' EXIT
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -s port ] && break; sleep 0.1; done
unset no_proxy NO_PROXY
http_proxy=http://127.0.0.1:$(cat port) curl -fsS -m 4 http://pypi.example.test/simple/
