#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: forbidden-by-the-server
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3 curl
# why: The server itself answers 403: no proxy lies between, and no policy denied anything.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >server.py <<'EOF'
import http.server, socketserver

class Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_error(403, "Not for you")

server = socketserver.TCPServer(("127.0.0.1", 0), Server)
print(server.server_address[1], flush=True)
server.serve_forever()
EOF
python3 -u server.py >port 2>log & p=$!
trap 'kill "$p" 2>/dev/null; rm -rf "$d"' EXIT
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -s port ] && break; sleep 0.1; done
unset http_proxy HTTP_PROXY ALL_PROXY all_proxy
curl -fsS -m 4 "http://127.0.0.1:$(cat port)/"
