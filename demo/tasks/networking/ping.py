# SPDX-License-Identifier: GPL-2.0-only
"""Sends ICMP echo requests to itself and waits for each answer."""
import os
import socket
import struct
import sys

n = int(sys.argv[1])


def checksum(data):
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


sock = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
sock.settimeout(10)
ident = os.getpid() & 0xffff
for seq in range(5):
    payload = b"ping %06d %06d.." % (n, seq)
    head = struct.pack("!BBHHH", 8, 0, 0, ident, seq)
    head = struct.pack("!BBHHH", 8, 0, checksum(head + payload), ident, seq)
    sock.sendto(head + payload, ("127.0.0.1", 0))
    while True:
        packet = sock.recv(2048)[20:]
        kind, _, _, who, got = struct.unpack("!BBHHH", packet[:8])
        if (kind, who, got) == (0, ident, seq):
            assert packet[8:] == payload
            break
print("ping: 5 requests, 5 answers")
