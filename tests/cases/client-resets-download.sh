#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: client-resets-download
# report: own
# expect: none
# outcome: ok
# needs: python3
# why: A client that has enough resets the connection; the server notes it and goes on.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >download.py <<'EOF'
import http.server, socket, socketserver, struct, threading, urllib.request

class Endless(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        try:
            for block in range(2000):
                self.wfile.write(b"x" * 65536)
        except OSError:
            pass

    def log_message(self, *args):
        pass

server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Endless)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
client = socket.create_connection(server.server_address)
client.sendall(b"GET / HTTP/1.0\r\n\r\n")
client.recv(1000)
client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
client.close()
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
print(opener.open("http://127.0.0.1:%d/" % server.server_address[1]).read(10))
EOF
python3 download.py
