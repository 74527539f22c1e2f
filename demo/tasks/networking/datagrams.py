# SPDX-License-Identifier: GPL-2.0-only
"""Datagrams over UDP and over a UNIX socket, echoed by a thread each."""
import os
import socket
import sys
import threading

n = int(sys.argv[1])


def echo(sock):
    while True:
        data, peer = sock.recvfrom(2048)
        if data == b"stop":
            return
        sock.sendto(data[::-1], peer)


def talk(server, client, address):
    thread = threading.Thread(target=echo, args=(server,))
    thread.start()
    client.settimeout(10)
    for i in range(50):
        message = b"%d/%d" % (n, i)
        client.sendto(message, address)
        assert client.recv(2048) == message[::-1]
    client.sendto(b"stop", address)
    thread.join()


udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.bind(("127.0.0.1", 0))
talk(udp, socket.socket(socket.AF_INET, socket.SOCK_DGRAM), udp.getsockname())
unix = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
unix.bind(os.path.abspath("server.sock"))
client = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
client.bind(os.path.abspath("client.sock"))
talk(unix, client, os.path.abspath("server.sock"))
print("datagrams: 100 echoes")
