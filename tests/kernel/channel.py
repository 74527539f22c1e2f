#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Tools' channels as the kernel side tells of them: what is recognised, and whose it is."""
import os
import socket
import subprocess
import sys

from lib import check, equal, finish, inside, make_cgroup
from lib_tap import (
    DATA,
    EOF,
    EXEC,
    HELLO,
    ME,
    NOTE,
    OTHER,
    PIPE,
    WELCOME,
    Server,
    Tap,
    nothing,
    of,
    one,
    streams,
    whole,
)

tap = Tap()

# ---- who is watched ----

r, w = os.pipe()
os.write(w, HELLO)
os.read(r, 4096)
nothing("nobody is watched: nothing is captured", tap.take())
tap.do("watch", ME)
os.write(w, HELLO)
os.read(r, 4096)
one("a pipe, by its writer", tap.take(), HELLO, kind=PIPE, writes=1, tgid=ME, instance=0, fd=w)
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
path = "/tmp/channel-test-%d" % ME
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
tap.do("unwatch", ME)
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
    [(ME, 1)],
)
said = [x for x in got if x["stream"] != stream]
equal("whoever is asked answers on its stdout", [x["data"] for x in of(said, what=DATA)], [b"x"])
server.process.stdout.close()
tap.do("unwatch", server.pid)
os.close(r)

# What it says there before it reads is told once it does; of whoever reads none nothing is.
tap.do("watch", ME)
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
tap.do("unwatch", ME)

# A shell reads a pipe byte by byte. Its line is known for a message once it is whole, and told as one.
for what, lines, want in (
    ("a message read byte by byte", [HELLO, NOTE], HELLO + NOTE),
    ("... after lines that are none", [b"a line\n", b'{"a":1}\n', b"\n", HELLO], HELLO),
    ("... after one that is too long", [b'{"a":"' + b"a" * 3000 + b'"}\n', HELLO], HELLO),
    ("... after one that fits nearly", [b'{"a":"' + b"a" * 503 + b'"}\n', HELLO], HELLO),
    ("lines that are none", [b'{"a":1}\n', b"jsonrpc\n"], b""),
    ("a message without its end", [HELLO[:-1]], b""),
):
    r, w = os.pipe()
    server = Server("os.read(0, 1)\nwhile os.read(0, 1): pass", r, subprocess.DEVNULL)
    tap.do("watch", server.pid)
    os.write(w, b"\n" + b"".join(lines))
    os.close(w)
    server.wait()
    got = of(tap.take(), what=DATA)
    equal(what, whole(got), want)
    equal(
        "... read by the server", {(x["writes"], x["fd"]) for x in got}, {(0, 0)} if want else set()
    )
    tap.do("unwatch", server.pid)
    os.close(r)

# ---- what is inherited ----

tap.do("watch", ME)
r, w = os.pipe()
script = "import os\nos.write(1, %r)" % HELLO
child = Server("import subprocess\nsubprocess.run([sys.executable, '-Sc', %r])" % script, None, w)
child.wait()
os.read(r, 4096)
got = tap.take()
one("a watched process's grandchild", got, HELLO, writes=1)
check("... it was not us", got[0]["tgid"] not in (ME, child.pid), repr(got[0]["tgid"]))
watched = tap.state()["watched"]
equal("those that ended are not watched any more", watched, 1)
tap.do("unwatch", ME)
equal("nobody is", (tap.state()["watched"], tap.state()["watched_count"]), (0, 0))
os.close(r)
os.close(w)

# ---- a cgroup ----

cgroup = make_cgroup("sandfault-channel-%d" % ME)
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

# ---- what is told of other programs ----

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
tap.lossless()
tap.end()
finish()
