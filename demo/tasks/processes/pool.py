# SPDX-License-Identifier: GPL-2.0-only
"""Keeps a ring of worker processes alive and sends a token through all of them, several times."""
import subprocess
import sys

WORKERS = 14

workers = [subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
           for _ in range(WORKERS)]
token = b"token %s\n" % sys.argv[1].encode()
for lap in range(5):
    for w in workers:
        w.stdin.write(token)
        w.stdin.flush()
        assert w.stdout.readline() == token
for w in workers:
    w.stdin.close()
assert [w.wait() for w in workers] == [0] * WORKERS
print("pool: 5 laps through", WORKERS, "workers")
