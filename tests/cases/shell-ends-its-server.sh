#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: shell-ends-its-server
# report: own
# expect: none
# outcome: ok
# needs: bash python3 curl
# why: A shell starts a server, uses it and kills it at the end.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
python3 -u -c '
import http.server, socketserver
server = socketserver.TCPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
print(server.server_address[1], flush=True)
server.serve_forever()' >port 2>log & p=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -s port ] && break; sleep 0.1; done
curl --noproxy '*' -sf "http://127.0.0.1:$(cat port)/port" || exit 1
kill "$p"
wait "$p"
exit 0
