# SPDX-License-Identifier: GPL-2.0-only
"""Runs a shell on a terminal of its own, as a tool that needs one would."""
import os
import subprocess
import sys

with open("session.log", "w") as log:
    log.write("session %s starts\n" % sys.argv[1])
master, slave = os.openpty()
shell = subprocess.Popen(["sh", "-c", "tty; stty size >/dev/null; echo \"sum $((20 + $1))\"", "sh",
                          sys.argv[1]], stdin=slave, stdout=slave, stderr=slave,
                         start_new_session=True)
os.close(slave)
out = b""
try:
    while True:
        data = os.read(master, 1024)
        if not data:
            break
        out += data
except OSError:  # EIO: the other side is closed
    pass
assert shell.wait() == 0, out
assert out.startswith(b"/dev/pts/") and out.rstrip().endswith(b"sum %d" % (20 + int(sys.argv[1])))
with open("session.log", "ab") as log:
    log.write(out)
print("pty: a shell on", out.split()[0].decode())
