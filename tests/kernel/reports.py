#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""What a failing program told on its standard output tells which of its failing calls it failed for,
however it was written; what came before an exec, and the output of who puts out data, does not."""
from lib import PYTHON, Daemon, equal, finish, judged, verdict

d = Daemon()
# Two calls fail: a name with a literal ~, and a connection that is refused.
BOTH = r"""
import os, socket, sys
MISSING = b"error: [Errno 2] No such file or directory: '~/notes'\n"
REFUSED = b"error: [Errno 111] Connection refused\n"
def meet():
    try:
        socket.create_connection(("127.0.0.1", 9))
    except OSError:
        pass
    try:
        open("~/notes")
    except OSError:
        pass
"""
TILDE, NETWORK = "interface/path/tilde", "sandbox/network/refused"


def told(name, want, script):
    _, task, _ = d.run(PYTHON, "-Sc", BOTH + script, task=name.replace(" ", "-"))
    judged(name, task, want, None, "failed")


told("nothing is told", NETWORK, "meet(); sys.exit(1)")
told("a write", TILDE, "meet(); os.write(1, MISSING); sys.exit(1)")
told("of the other", NETWORK, "meet(); os.write(1, REFUSED); sys.exit(1)")
told("to fd 2", TILDE, "meet(); os.write(2, MISSING); sys.exit(1)")
told(
    "several buffers",
    TILDE,
    "meet(); os.writev(1, [b'error: [Errno ', MISSING[14:]]); sys.exit(1)",
)
told("by the byte", TILDE, "meet(); [os.write(1, bytes([c])) for c in MISSING]; sys.exit(1)")
told(
    "over a socket",
    TILDE,
    "a, b = socket.socketpair(); os.dup2(a.fileno(), 1); meet();"
    "socket.socket(fileno=1).send(MISSING); os._exit(1)",
)
told(
    "the end of much",
    TILDE,
    "meet(); [os.write(1, b'row %d\\n' % i * 999) for i in range(99)];"
    "os.write(1, MISSING); sys.exit(1)",
)
told(
    "before an exec it is another program's",
    TILDE,
    "os.write(1, REFUSED); os.execv(sys.executable, [sys.executable, '-Sc', %r +"
    " 'meet(); os.write(1, MISSING); sys.exit(1)'])" % BOTH,
)
told(
    "after a thousand writes nobody listens",
    NETWORK,
    "meet(); [os.write(1, b'x\\n') for i in range(1024)]; os.write(1, MISSING); sys.exit(1)",
)
told(
    "after a few hundred somebody does",
    TILDE,
    "meet(); [os.write(1, b'x\\n') for i in range(1000)]; os.write(1, MISSING); sys.exit(1)",
)
status, task, _ = d.run(
    PYTHON, "-Sc", BOTH + "meet(); os.write(1, REFUSED); sys.exit(0)", task="well"
)
equal("who ends well failed for nothing", (status, verdict(task)), (0, None))
finish()
