#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Tools' channels as the kernel side tells of them: what is recognised, by whom, and every byte of it,
once."""
import errno
import json
import os
import socket
import subprocess
import sys
import threading
import time

from lib import BUILD, TOP, cgroup_name, check, equal, finish, inside, make_cgroup, program, skip

DATA, OTHER, EOF, REFUSED = 1, 2, 3, 4
PIPE, UNIX, TCP = 1, 2, 3
EXEC, CHUNK = 2, 12
HELLO = b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}\n'
WELCOME = b'{"result":{"protocolVersion":"2025-06-18"},"jsonrpc":"2.0","id":0}\n'
NOTE = b'{"method":"ping"}\n'  # once recognised, anything goes


class Tap:
    def __init__(self, *args):
        self.process = subprocess.Popen(
            [os.path.join(BUILD, "tests", "kernel", "tap"), *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.records = []
        if self.answer() != "ready":
            sys.exit("tap does not start")

    def answer(self):
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit("tap has ended")
            if line[0] == "=":
                return line[1:].strip()
            record = json.loads(line)
            record["data"] = bytes.fromhex(record.get("data", ""))
            self.records.append(record)

    def do(self, *words):
        self.process.stdin.write(" ".join(str(w) for w in words) + "\n")
        self.process.stdin.flush()
        return self.answer()

    def state(self):
        return json.loads(self.do("state"))

    def take(self):
        """The records since the last call."""
        self.do("state")
        taken, self.records = self.records, []
        return [r for r in taken if r["record"] != CHUNK or r["stream"]]

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def streams(records):
    """By stream: its bytes where no gap is, its records."""
    by = {}
    for r in records:
        if r["record"] == CHUNK:
            by.setdefault(r["stream"], []).append(r)
    return by


def whole(records):
    """The bytes of one stream's records, each where its offset says."""
    text = bytearray()
    for r in records:
        if r["what"] != DATA:
            continue
        if r["offset"] != len(text):
            return "gap at %d, record at %d" % (len(text), r["offset"])
        text += r["data"] + b"?" * r["missing"]
    return bytes(text)


def of(records, **want):
    return [r for r in records if all(r.get(k) == v for k, v in want.items())]


def one(name, records, want, **fields):
    """One stream, these bytes, each once; its first record has these fields."""
    by = streams(records)
    if not equal("%s: streams" % name, len(by), 1):
        return None
    got = list(by.values())[0]
    equal(name, whole(got), want)
    data = of(got, what=DATA)
    equal("%s: one first record" % name, [r["first"] for r in data], [1] + [0] * (len(data) - 1))
    equal("%s: fields" % name, {k: data[0][k] for k in fields}, fields)
    return data


def nothing(name, records):
    equal(name, [r for r in records if r["record"] == CHUNK], [])


class Server:
    """A process that does to its descriptors 0 and 1 what its lines of Python say."""

    def __init__(self, script, stdin, stdout, **kw):
        self.process = subprocess.Popen(
            [sys.executable, "-Sc", "import os, sys, socket\n" + script],
            stdin=stdin,
            stdout=stdout,
            **kw,
        )
        self.pid = self.process.pid

    def wait(self):
        return self.process.wait(timeout=30)


subprocess.run(
    ["make", "-s", os.path.join(os.path.relpath(BUILD, TOP), "tests", "kernel", "tap")],
    cwd=TOP,
    check=True,
)
tap = Tap()
me = os.getpid()


# ---- who is watched ----

r, w = os.pipe()
os.write(w, HELLO)
os.read(r, 4096)
nothing("nobody is watched: nothing is captured", tap.take())
tap.do("watch", me)
os.write(w, HELLO)
os.read(r, 4096)
one("a pipe, by its writer", tap.take(), HELLO, kind=PIPE, writes=1, tgid=me, instance=0, fd=w)
os.write(w, NOTE)
os.read(r, 4096)
got = tap.take()
equal("what follows is captured whatever it says", [x["data"] for x in got], [NOTE])
equal("... where the first ended", got[0]["offset"], len(HELLO))
os.close(w)
os.read(r, 1)
os.close(r)
got = tap.take()
equal("its end is told", [x["what"] for x in got], [EOF])
equal(
    "... once it is read, by its reader",
    [(x["writes"], x["offset"]) for x in got],
    [(0, len(HELLO + NOTE))],
)
equal("... and it is forgotten", tap.state()["streams"], 0)

# ---- what is no channel ----

r, w = os.pipe()
for text in (
    b"hello, world, and more of it\n",
    b'{"name":"a line of JSON that is no JSON-RPC","of":"no protocol"}\n',
    b'x {"jsonrpc":"2.0","id":1,"method":"after something else"}\n',
    b'{"a":"' + b"a" * 2000 + b'","jsonrpc":"2.0","b":"' + b"b" * 2000 + b'"}\n',
    b"GET /index.html HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n",
    b"POST /v1 HTTP/1.1\r\nHost: localhost\r\ncontent-type: application/json\r\n\r\n{}",
    b"{",
):
    os.write(w, text)
    os.read(r, 8192)
    nothing("no channel: %r" % text[:40], tap.take())
path = "/tmp/channel-test-%d" % me
fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL)
os.unlink(path)
os.write(fd, HELLO)
os.close(fd)
nothing("no channel: a file", tap.take())
a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
a.send(HELLO)
b.recv(4096)
nothing("no channel: datagrams", tap.take())
a.close()
b.close()
os.close(r)
os.close(w)

# ---- what is one, by its first message ----

for name, text in (
    ("blanks before it", b"\r\n  \t" + HELLO),
    ("a batch", b"[" + HELLO.strip() + b"]\n"),
    ("the word late in the head", b'{"a":"' + b"a" * 900 + b'","jsonrpc":"2.0","id":1}\n'),
    ("the word at the end", b'{"result":"' + b"a" * 9000 + b'","jsonrpc":"2.0","id":1}\n'),
    (
        "HTTP that wants events",
        b"GET /sse HTTP/1.1\r\nHost: x\r\nAccept: Text/Event-Stream\r\n\r\n",
    ),
    ("HTTP of a session", b"DELETE /mcp HTTP/1.1\r\nMCP-Session-Id: 1\r\n\r\n"),
    ("HTTP with a message", b"POST /mcp HTTP/1.1\r\nHost: x\r\n\r\n" + HELLO),
):
    r, w = os.pipe()
    os.write(w, text)
    os.read(r, 65536)
    one("a channel by %s" % name, tap.take(), text, writes=1)
    os.close(r)
    os.close(w)
for n in (7, 1021, 1024, 1025, 1030, 1536):
    # Wherever the word ends: it is within the first 1024 bytes, or not.
    text = b'{"a":"' + b"a" * (n - 7) + b'","jsonrpc":"2.0"' + b" " * 4096 + b"}\n"
    r, w = os.pipe()
    os.write(w, text)
    os.read(r, 65536)
    equal("the word at %d" % n, len(streams(tap.take())), 1 if n + 2 + 9 <= 1024 else 0)
    os.close(r)
    os.close(w)
tap.do("idle", 1 << 62)
equal("streams whose ends have gone are forgotten", tap.state()["streams"], 0)
equal("... and counted so", tap.state()["stream_count"], 0)


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


def told(text, sock, how, size):
    """A message through `how`, read until it is whole."""
    done, left = 0, len(text)
    peer = sock[1]

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
    told(HELLO, (a, b), how, 0)
    first = tap.take()
    want = HELLO
    for n in (1, 879, 1024, 1025, 8192, 8193, 24576, 24577, 65536, 65537, 200001, 3 << 20):
        text = (b"%07d" % n * (n // 7 + 1))[:n]
        told(text, (a, b), how, n)
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
    tap.do("unwatch", me)
    server = Server(script, subprocess.DEVNULL, b.fileno())
    tap.do("watch", me)
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

# ---- what moves no bytes, or throws them away ----

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


def tcp(host, port=0):
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
path = "/tmp/channel-test-%d.sock" % me
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

# ---- two processes ----

r, w = os.pipe()
r2, w2 = os.pipe()
script = "t = os.read(0, 4096)\nos.write(1, %r)\nos.read(0, 4096)\n" % WELCOME
server = Server(script, r, w2)
os.close(r)
os.close(w2)
os.write(w, HELLO)
equal("a server answers", os.read(r2, 4096), WELCOME)
os.close(w)
equal("... and ends", server.wait(), 0)
equal("... with its pipe", os.read(r2, 4096), b"")
got = tap.take()
data = of(got, what=DATA)
equal("each message once", sorted(x["data"] for x in data), sorted([HELLO, WELCOME]))
known = {(x["tgid"], x["stream"]) for x in got if x["what"] in (DATA, OTHER)}
equal("both ends of both pipes are known", len(known), 4)
equal("both ends are told", len(of(got, what=EOF)), 2)
os.close(r2)

# A process that nobody watches is told of, at the other end of a stream alone.
tap.do("unwatch", me)
r, w = os.pipe()
server = Server("os.read(0, 4096)\nos.write(1, b'x')\nos.read(0, 4096)", r, subprocess.PIPE)
tap.do("watch", server.pid)
os.write(w, HELLO)
server.process.stdout.read(1)
os.write(w, NOTE)
os.close(w)
server.wait()
got = tap.take()
stream = of(got, what=DATA)[0]["stream"]
asked = [x for x in got if x["stream"] == stream]
equal("read by a watched server", [x["data"] for x in of(asked, what=DATA)], [HELLO, NOTE])
equal(
    "its writer, nobody's, is told of once it writes again",
    [(x["tgid"], x["writes"]) for x in of(asked, what=OTHER)],
    [(me, 1)],
)
said = [x for x in got if x["stream"] != stream]
equal("whoever is asked answers on its stdout", [x["data"] for x in of(said, what=DATA)], [b"x"])
server.process.stdout.close()
tap.do("unwatch", server.pid)
os.close(r)

# What it says there before it reads is told once it does; of whoever reads none nothing is.
tap.do("watch", me)
for what, reads, want in (
    ("a banner of two writes", True, [b"Ready\n", b"x"]),
    ("a banner of somebody else's", False, []),
):
    r, w = os.pipe()
    script = "os.write(1, b'Read')\nos.write(1, b'y\\n')\n"
    script += "os.read(0, 4096)\n" if reads else ""
    server = Server(script + "os.write(1, b'x')", r, subprocess.PIPE)
    os.write(w, HELLO)
    server.wait()
    got = of(tap.take(), what=DATA)
    stream = got[0]["stream"]
    said = [x["data"] for x in got if x["stream"] != stream]
    equal(what, said, want)
    server.process.stdout.close()
    os.close(r)
    os.close(w)
tap.do("unwatch", me)

# ---- what is inherited ----

tap.do("watch", me)
r, w = os.pipe()
script = "import os\nos.write(1, %r)" % HELLO
child = Server("import subprocess\nsubprocess.run([sys.executable, '-Sc', %r])" % script, None, w)
child.wait()
os.read(r, 4096)
got = tap.take()
one("a watched process's grandchild", got, HELLO, writes=1)
check("... it was not us", got[0]["tgid"] not in (me, child.pid), repr(got[0]["tgid"]))
watched = tap.state()["watched"]
equal("those that ended are not watched any more", watched, 1)
tap.do("unwatch", me)
equal("nobody is", (tap.state()["watched"], tap.state()["watched_count"]), (0, 0))
os.close(r)
os.close(w)

# ---- a cgroup ----

cgroup = make_cgroup("sandfault-channel-%d" % me)
ident = os.stat(cgroup).st_ino
equal("a cgroup is watched", tap.do("cgroup", ident), "0")
r, w = os.pipe()
child = Server("os.write(1, %r)" % HELLO, None, w, preexec_fn=inside(cgroup))
child.wait()
os.read(r, 4096)
one("a process of a watched cgroup", tap.take(), HELLO, tgid=child.pid)
equal("it is watched no more", tap.do("uncgroup", ident), "0")
os.close(r)
os.close(w)
r, w = os.pipe()
child = Server("os.write(1, %r)" % HELLO, None, w, preexec_fn=inside(cgroup))
child.wait()
os.close(r)
os.close(w)
nothing("... it is not", tap.take())

# ---- who cannot write ----

tap.do("watch", me)
for error, close in ((errno.EPIPE, True),):
    a, b = socket.socketpair()
    a.send(HELLO)
    b.recv(4096)
    tap.take()
    b.close()
    try:
        a.send(NOTE)
        check("the peer has left", False, "expected EPIPE")
    except OSError as e:
        equal("the peer has left", e.errno, error)
    got = tap.take()
    equal(
        "a refused write",
        [(x["what"], x["err"], x["missing"], x["writes"], x["data"]) for x in got],
        [(REFUSED, error, len(NOTE), 1, b"")],
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
missed = 0
for n in range(200):
    a, b = socket.socketpair()
    a.send(HELLO)
    b.recv(4096)
    b.send(WELCOME)
    a.recv(4096)
    got = of(tap.take(), what=DATA)
    missed += [x["data"] for x in got] != [HELLO, WELCOME] or not all(x["first"] for x in got)
    a.close()
    b.close()
equal("of 200 socket pairs, one after another, none is taken for another", missed, 0)
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

# ---- what is told of other programs ----

tap.do("unwatch", me)
subprocess.run(["/bin/true"])
equal("no program is told of", of(tap.take(), record=EXEC), [])
tap.do("execs", 1)
subprocess.run(["/bin/echo", "told", "of"], stdout=subprocess.DEVNULL)
got = of(tap.take(), record=EXEC)
equal(
    "a program outside of every task",
    [x["data"] for x in got if b"told" in x["data"]],
    [b"/bin/echo\0told\0of\0"],
)
equal("... which is nobody's", {x["instance"] for x in got}, {0})
tap.do("execs", 0)

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
    tap.do("watch", me)
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
    tap.do("unwatch", me)

state = tap.state()
equal(
    "nothing was lost",
    [state[k] for k in ("lost_channel", "lost_stream", "lost_scratch")],
    [0, 0, 0],
)
tap.end()

# ---- a ring that is too small ----

tap = Tap(str(1 << 17))
tap.do("watch", me)
r, w = os.pipe()
os.set_blocking(w, False)
import fcntl

fcntl.fcntl(w, 1031, 1 << 20)  # F_SETPIPE_SZ
os.kill(tap.process.pid, 19)  # SIGSTOP: nobody reads the ring
os.write(w, HELLO)
for _ in range(4):
    os.write(w, b"x" * 60000)
os.kill(tap.process.pid, 18)
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
