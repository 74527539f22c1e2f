#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Tools' channels over sockets: each byte at one end alone, whatever the address; and what tells that
a peer has gone."""
import errno
import os
import socket

from lib import check, equal, finish, skip
from lib_tap import DATA, EOF, HELLO, ME, NOTE, REFUSED, WELCOME, Tap, nothing, of, streams

tap = Tap()
tap.do("watch", ME)

# ---- addresses ----


def tcp(host):
    """A connection over this address: its two ends."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.bind((host, 0))
    listener.listen()
    client = socket.create_connection((host, listener.getsockname()[1]))
    server, _ = listener.accept()
    listener.close()
    return client, server


for host in ("127.0.0.1", "127.3.2.1", "::1"):
    try:
        client, server = tcp(host)
    except OSError as e:
        skip("TCP over %s" % host, str(e))
        continue
    client.sendall(HELLO)
    server.recv(4096)
    server.sendall(WELCOME)
    client.recv(4096)
    got = tap.take()
    by = streams(got)
    equal("TCP over %s: two directions" % host, len(by), 2)
    equal(
        "... captured at the client's end",
        [(x["writes"], x["data"], x["local"], x["peer"]) for x in got],
        [
            (1, HELLO, client.getsockname()[1], server.getsockname()[1]),
            (0, WELCOME, client.getsockname()[1], server.getsockname()[1]),
        ],
    )
    equal("... that name one another", [x["back"] for x in got], [x["stream"] for x in got[::-1]])
    client.close()
    equal("TCP: the end", server.recv(1), b"")
    equal(
        "... is told at the server's end",
        [(x["what"], x["writes"]) for x in tap.take()],
        [(EOF, 0)],
    )
    server.close()

# IPv4 through a socket of IPv6.
try:
    listener = socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
    listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    listener.bind(("::", 0))
    listener.listen()
    client = socket.create_connection(("127.0.0.1", listener.getsockname()[1]))
    server, _ = listener.accept()
    client.sendall(HELLO)
    server.recv(4096)
    server.sendall(WELCOME)
    client.recv(4096)
    got = tap.take()
    equal("mapped addresses: each once", [x["data"] for x in got], [HELLO, WELCOME])
    for s in (client, server, listener):
        s.close()
except OSError as e:
    skip("mapped addresses", str(e))

# Another address than the loopback's is none of a local tool's.
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
    try:
        s.connect(("192.0.2.1", 9))
        own = s.getsockname()[0]
    except OSError:
        own = None
if own:
    client, server = tcp(own)
    client.sendall(HELLO)
    server.recv(4096)
    nothing("TCP over %s" % own, tap.take())
    client.close()
    server.close()

# A named socket: the client speaks before it was accepted.
path = "/tmp/channel-test-%d.sock" % ME
listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
listener.bind(path)
listener.listen()
client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
client.connect(path)
client.sendall(HELLO)
server, _ = listener.accept()
os.unlink(path)
server.recv(4096)
server.sendall(WELCOME)
client.recv(4096)
equal("a named socket: each once", [x["data"] for x in tap.take()], [HELLO, WELCOME])
for s in (client, server, listener):
    s.close()

# ---- who cannot write ----

a, b = socket.socketpair()
a.send(HELLO)
b.recv(4096)
tap.take()
b.close()
try:
    a.send(NOTE)
    check("the peer has left", False, "expected EPIPE")
except OSError as e:
    equal("the peer has left", e.errno, errno.EPIPE)
got = tap.take()
equal(
    "a refused write",
    [(x["what"], x["err"], x["missing"], x["writes"], x["data"]) for x in got],
    [(REFUSED, errno.EPIPE, len(NOTE), 1, b"")],
)
a.close()
r, w = os.pipe()
os.close(r)
try:
    os.write(w, HELLO)
except BrokenPipeError:
    pass
got = tap.take()
equal(
    "the first message of all is refused",
    [(x["what"], x["err"], x["missing"], x["first"]) for x in got],
    [(REFUSED, errno.EPIPE, len(HELLO), 1)],
)
os.close(w)
a, b = socket.socketpair()
a.send(HELLO)
b.send(HELLO)
b.recv(4096)
tap.take()
a.close()  # with bytes unread
try:
    b.recv(4096)
    check("a reset", False, "expected ECONNRESET")
except OSError as e:
    equal("a reset", e.errno, errno.ECONNRESET)
equal(
    "... is told",
    [(x["what"], x["err"], x["writes"]) for x in tap.take()],
    [(REFUSED, errno.ECONNRESET, 0)],
)
b.close()

# ---- an address used again ----

tap.do("idle", 1 << 62)
missed = again = mixed = 0
serials = {}
for n in range(200):
    a, b = socket.socketpair()
    a.send(HELLO)
    b.recv(4096)
    b.send(WELCOME)
    a.recv(4096)
    got = of(tap.take(), what=DATA)
    missed += [x["data"] for x in got] != [HELLO, WELCOME] or not all(x["first"] for x in got)
    for name in {x[key] for x in got for key in ("stream", "back")}:
        again += name in serials
        mixed += serials.get(name) == got[0]["serial"]
        serials[name] = got[0]["serial"]
    mixed += len({x["serial"] for x in got}) != 1
    a.close()
    b.close()
equal("of 200 socket pairs, one after another, none is taken for another", missed, 0)
check("... though names were used again", again, "200 pairs had names of their own")
equal("... and both directions, and they alone, have the connection's serial", mixed, 0)
tap.do("idle", 1 << 62)
for n in range(200):
    a, b = socket.socketpair()
    b.send(HELLO) if n & 1 else a.send(HELLO)
    a.recv(4096) if n & 1 else b.recv(4096)
    got = of(tap.take(), what=DATA)
    missed += [x["data"] for x in got] != [HELLO]
    a.close()
    b.close()
equal("... nor where the other side begins", missed, 0)

tap.lossless()
tap.end()
finish()
