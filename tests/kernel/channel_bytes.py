#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Every byte of a tool's channel, once: through each call that reads or writes, at each length, and
where the ring is too small for them."""
import fcntl
import os
import signal
import socket
import subprocess
import threading

from lib import check, equal, finish, program, skip
from lib_tap import DATA, EOF, HELLO, ME, NOTE, Server, Tap, nothing, of, one, streams, whole

tap = Tap()
tap.do("watch", ME)


# ---- each way of reading and writing, each length, once ----
def ways_out(s):
    return {
        "write": lambda t: os.write(s.fileno(), t),
        "writev": lambda t: os.writev(s.fileno(), [t[:3], b"", t[3:7], t[7:]]),
        "send": lambda t: s.send(t),
        "sendto": lambda t: s.send(t, socket.MSG_NOSIGNAL),
        "sendmsg": lambda t: s.sendmsg([t[:1], t[1:]]),
    }


def ways_in(s):
    def scatter(n):
        bufs = [bytearray(5), bytearray(n)]
        return os.readv(s.fileno(), bufs)

    def message(n):
        return s.recvmsg_into([bytearray(4), bytearray(n)])[0]

    return {
        "read": lambda n: len(os.read(s.fileno(), n)),
        "readv": scatter,
        "recv": lambda n: len(s.recv(n)),
        "recvmsg": message,
    }


def told(text, how, peer):
    """A message through `how`, which `peer` reads until it is whole."""
    done, left = 0, len(text)

    def reader():
        nonlocal left
        while left:
            left -= len(peer.recv(1 << 20))

    t = threading.Thread(target=reader)
    t.start()
    while done < len(text):
        done += how(text[done:])
    t.join()


for name in ("write", "writev", "send", "sendto", "sendmsg"):
    a, b = socket.socketpair()
    how = ways_out(a)[name]
    told(HELLO, how, b)
    first = tap.take()
    want = HELLO
    for n in (1, 879, 1024, 1025, 8192, 8193, 24576, 24577, 65536, 65537, 200001, 3 << 20):
        text = (b"%07d" % n * (n // 7 + 1))[:n]
        told(text, how, b)
        want += text
    got = first + tap.take()
    data = of(got, stream=got[0]["stream"])
    equal("by %s, every length" % name, whole(data) == want, True)
    equal("... at one end alone", len(streams(got)), 1)
    a.close()
    b.close()
for name in ("read", "readv", "recv", "recvmsg"):
    # The writer is another process, which nobody watches; it ends when we do.
    a, b = socket.socketpair()
    how = ways_in(a)[name]
    script = "import time\nb = bytes(i % 251 for i in range(3000000))\n"
    script += "os.write(1, %r)\n" % HELLO
    script += "at = 0\nwhile at < len(b): at += os.write(1, b[at:at + 70001])\n"
    tap.do("unwatch", ME)
    server = Server(script, subprocess.DEVNULL, b.fileno())
    tap.do("watch", ME)
    b.close()
    while how(100000):
        pass
    server.wait()
    got = tap.take()
    want = HELLO + bytes(i % 251 for i in range(3000000))
    data = of(got, stream=got[0]["stream"])
    equal("by %s, as it comes" % name, whole(data) == want, True)
    equal("... read by us", {x["writes"] for x in of(data, what=DATA)}, {0})
    equal("... its end is told", data[-1]["what"], EOF)
    a.close()

# ---- what moves no bytes ----

a, b = socket.socketpair()
a.send(HELLO)
tap.take()
tap.do("idle", 1 << 62)
equal("what is looked at ahead", b.recv(4096, socket.MSG_PEEK), HELLO)
nothing("... is not read", tap.take())
b.recv(4096)
one("... until it is", tap.take(), HELLO, writes=0)
a.close()
b.close()

# ---- a 32-bit process ----

actor = program(
    "pipe32",
    None,
    "-m32",
    "-nostdlib",
    "-static",
    "-ffreestanding",
    "-fno-pic",
    "-no-pie",
    "-fno-stack-protector",
    "-O1",
)
if not actor:
    skip("a 32-bit process", "the compiler makes none")
else:
    r, w = os.pipe()
    p = subprocess.Popen([actor], stdin=subprocess.PIPE, stdout=w)
    p.stdin.write(HELLO)
    p.stdin.close()
    p.wait()
    got = tap.take()
    data = of(got, tgid=p.pid, what=DATA)
    equal(
        "a 32-bit process's writes",
        [x["data"] for x in data if x["writes"]],
        [HELLO, HELLO[:9], HELLO[9:]],
    )
    os.close(r)
    os.close(w)

tap.lossless()
tap.end()

# ---- a ring that is too small ----

tap = Tap(str(1 << 17))
tap.do("watch", ME)
r, w = os.pipe()
os.set_blocking(w, False)
fcntl.fcntl(w, fcntl.F_SETPIPE_SZ, 1 << 20)
tap.process.send_signal(signal.SIGSTOP)  # nobody reads the ring
os.write(w, HELLO)
for _ in range(4):
    os.write(w, b"x" * 60000)
tap.process.send_signal(signal.SIGCONT)
got = of(tap.take(), what=DATA)
os.write(w, NOTE)
got += of(tap.take(), what=DATA)
lost = tap.state()["lost_channel"]
check("a full ring loses bytes", lost >= 120000, "lost %d" % lost)
last = got[-1]
equal("... and the next record's offset shows it", last["offset"], len(HELLO) + 240000)
equal(
    "... what came and what was lost is what was written",
    sum(len(x["data"]) for x in got) + lost,
    len(HELLO) + 240000 + len(NOTE),
)
tap.end()
finish()
