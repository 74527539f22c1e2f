# SPDX-License-Identifier: GPL-2.0-only
"""Sends a document to every replica that the settings name and asks each for its digest."""
import hashlib
import json
import socket
import socketserver
import sys
import threading


class Replica(socketserver.StreamRequestHandler):
    def handle(self):
        size = int(self.rfile.readline())
        self.wfile.write(hashlib.sha256(self.rfile.read(size)).hexdigest().encode() + b"\n")


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


with open("settings.json") as f:
    replicas = json.load(f)["replicas"]
local = Server(("127.0.0.1", 7080), Replica)
threading.Thread(target=local.serve_forever, daemon=True).start()
document = ("document %s\n" % sys.argv[1] * 2000).encode()
for address in replicas:
    host, port = address.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=10) as s:
        s.sendall(b"%d\n" % len(document) + document)
        assert s.makefile().readline().strip() == hashlib.sha256(document).hexdigest(), address
local.shutdown()
print("replicas: %d hold the document" % len(replicas))
