#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Bad input of every kind: users, options, messages, peers. The daemon lives on."""
import json
import os
import shutil
import socket

from lib import (
    NOBODY,
    SANDFAULT,
    SANDFAULTD,
    WORK,
    Client,
    Daemon,
    call,
    check,
    equal,
    finish,
    refused,
)

USER = ["setpriv", "--reuid=%d" % NOBODY, "--regid=%d" % NOBODY, "--clear-groups"]

# ---- users, verbs, options ----

d = Daemon()
bin_dir = os.path.join(WORK, "bin")  # the build may lie where others can't go
os.mkdir(bin_dir)
for binary in (SANDFAULT, SANDFAULTD):
    shutil.copy(binary, bin_dir)
theirs = os.path.join(WORK, "theirs")
os.mkdir(theirs)
os.chown(theirs, NOBODY, NOBODY)
refused(
    "run as nobody",
    125,
    *USER,
    bin_dir + "/sandfault",
    "run",
    "--db",
    theirs + "/db",
    "--",
    "true",
    says="root"
)
refused(
    "the daemon as nobody",
    1,
    *USER,
    bin_dir + "/sandfaultd",
    "--db",
    theirs + "/db",
    "--socket",
    theirs + "/s",
    "--group",
    "-"
)
refused("unknown verb", 2, SANDFAULT, "frobnicate", says="frobnicate")
refused("unknown option", 2, SANDFAULT, "task", "list", "--frobnicate", says="frobnicate")
refused("unknown option of the daemon", 2, SANDFAULTD, "--frobnicate", says="frobnicate")
refused(
    "bad option value",
    2,
    SANDFAULT,
    "task",
    "list",
    "--db",
    d.db,
    "--since",
    "tomorrowish",
    says="since",
)
refused("no such task", 3, SANDFAULT, "task", "show", "--db", d.db, "nobody", says="nobody")
refused(
    "no such database", 1, SANDFAULT, "task", "list", "--db", WORK + "/none", says=WORK + "/none"
)
refused(
    "begin without a daemon",
    1,
    SANDFAULT,
    "task",
    "begin",
    "x",
    "--pid",
    "1",
    "--socket",
    WORK + "/none",
    says=WORK + "/none",
)
equal(
    "status without a daemon",
    call(SANDFAULT, "status", "--socket", WORK + "/none", "--db", d.db)[0],
    0,
)
for command, status in (
    (["/no/such/program"], 127),
    (["/etc/passwd"], 126),
    (["/bin/sh", "-c", "exit 42"], 42),
    (["/bin/sh", "-c", "kill -TERM $$"], 143),
):
    equal("run %s: the status" % command[-1], d.run(*command, task="status-%d" % status)[0], status)
check(
    "127 and 126 are judged all the same",
    all(d.result("status-%d" % s) for s in (126, 127)),
    "no JSON",
)
with open(WORK + "/bad.conf", "w") as f:
    f.write("# fine\nretain-age = a while\n")
refused(
    "bad value in the configuration",
    2,
    SANDFAULTD,
    "--config",
    WORK + "/bad.conf",
    says="bad.conf:2",
)

# ---- messages ----


def raw(data, shutdown=True):
    """What the daemon answers to these bytes."""
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(10)
    s.connect(d.socket)
    try:
        s.sendall(data)
        if shutdown:
            s.shutdown(socket.SHUT_WR)
        got = b""
        while True:
            part = s.recv(65536)
            if not part:
                return got
            got += part
    except (BrokenPipeError, ConnectionResetError):
        return b""
    except socket.timeout:
        return b"TIMEOUT"
    finally:
        s.close()


def begin(**fields):
    return (
        json.dumps(
            {
                "op": "begin",
                "campaign": "test",
                "task": "x",
                "pid": os.getpid(),
                "scope": "process",
                **fields,
            }
        ).encode()
        + b"\n"
    )


messages = {
    "no JSON": b"hello\n",
    "an array": b"[]\n",
    "a number": b"42\n",
    "no op": b"{}\n",
    "an unknown op": b'{"op":"dance"}\n',
    "op of another type": b'{"op":7}\n',
    "an empty line": b"\n",
    "bytes that are no text": b"\xff\xfe\x00\x01\n",
    "a NUL inside": b'{"op":"sta\0tus"}\n',
    "cut off": b'{"op":"status"',
    "too deep": b"[" * 20000 + b"\n",
    "too long": b'{"op":"status","x":"' + b"x" * 400000 + b'"}\n',
    "endless": b"x" * 3000000,
    "no task": begin(task=None),
    "an empty task": begin(task=""),
    "a task of another type": begin(task=[1]),
    "a task that is too long": begin(task="t" * 100000),
    "labels of another type": begin(labels=[1, 2]),
    "a label of another type": begin(labels={"a": {"b": 1}}),
    "a negative pid": begin(pid=-1),
    "a pid of another type": begin(pid="one"),
    "an unknown scope": begin(scope="galaxy"),
    "a cgroup that climbs": begin(pid=None, scope=None, cgroup="/../../etc"),
    "neither cgroup nor pid": begin(pid=None, scope=None),
    "a process scope without a process": begin(pid=None, cgroup="/"),
    "a bad outcome": b'{"op":"end","campaign":"test","task":"x","outcome":"splendid"}\n',
}
for name, data in messages.items():
    reply = raw(data)
    lines = reply.splitlines()
    try:
        good = all(json.loads(line).get("ok") is False for line in lines)
    except ValueError:
        good = False
    check(
        "message: " + name, good, "expected a refusal or a closed connection, got %r" % reply[:200]
    )
equal("after all that", d.request("status").get("ok"), True)
equal("nothing was begun", d.sql("SELECT count(*) FROM task WHERE source = 'begin'")[0][0], 0)
idle = [Client(d.socket) for _ in range(100)]
idle[0].s.sendall(b'{"op":')
equal("a hundred idle connections", d.request("status").get("ok"), True)
for c in idle:
    c.close()
with d.client() as c:
    c.s.sendall(b'{"op":"status"}\n{"op":"status"}\n{"op":"sta')
    c.s.sendall(b'tus"}\n')
    equal("lines together and in pieces", [c.read().get("ok") for _ in range(3)], [True] * 3)

# ---- peers ----

ask = (
    "import os,socket,sys; s = socket.socket(socket.AF_UNIX); s.settimeout(10); "
    "s.connect(sys.argv[1]); "
    's.sendall(b\'{"op":"begin","campaign":"test","task":"intruder","pid":%d}\\n\' % os.getpid()); '
    "print(s.recv(65536).decode() or 'closed')"
)
os.chmod(d.dir, 0o755)
status, out, err = call(*USER, "/usr/bin/python3", "-S", "-c", ask, d.socket)
check("a stranger can't connect", status != 0 and "PermissionError" in err, out + err[-200:])
os.chmod(d.socket, 0o666)
status, out, err = call(*USER, "/usr/bin/python3", "-S", "-c", ask, d.socket)
check(
    "a stranger who can is refused",
    '"ok":true' not in out.replace(" ", "") and (out or err),
    out + err[-200:],
)
equal(
    "the intruder has no task", d.sql("SELECT count(*) FROM task WHERE name = 'intruder'")[0][0], 0
)
equal("the daemon stops cleanly", d.stop(), 0)
finish()
