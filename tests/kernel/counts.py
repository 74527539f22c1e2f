#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Counts are exact: what a program counts itself stands in the database, however much it is."""
import collections
import errno
import os
import re
import signal
import subprocess
import threading

from lib import WORK, Daemon, equal, finish, program

OPENAT = "syscall = 'openat' AND errno = 2"
d = Daemon()
storm = program("storm", None, "-static", "-pthread")


def counted(name, task, own, where=OPENAT):
    equal(name + ": the task's tally", d.tally(task["task"], where), own)
    equal(name + ": nothing lost", task["lost"], 0)


for paths in (1, 1000, 100000):
    _, task, out = d.run(storm, "1000000", str(paths), task="storm-%d" % paths)
    counted("1,000,000 opens over %d paths" % paths, task, int(out))
_, task, out = d.run(storm, "400000", "50000", "4", task="threads")
counted("four threads", task, int(out))


def rows(task):
    """(syscall, errno) -> count"""
    return {
        (s, e): n
        for s, e, n in d.sql(
            "SELECT syscall, errno, sum(count) FROM tally JOIN task ON "
            "task.id = tally.task WHERE task.name = ? GROUP BY 1, 2",
            task,
        )
    }


def same_rows(name, got, own):
    """Each kind of failure has its row and count; those known to be benign share one row."""
    benign = sum(n for kind, n in own.items() if kind not in got)
    want = {kind: n for kind, n in own.items() if kind in got}
    equal(name + ": each in its row", got, {**want, ("(benign)", 0): benign})


# Every failing call of a program, noise too, stands in its own row.
mix = program("mix", None, "-static")
_, task, out = d.run(mix, "137", task="mix")
own = {(s, int(e)): int(n) for s, e, n in (line.split() for line in out.decode().splitlines())}
same_rows("28 kinds of failing calls", rows("mix"), own)
equal("28 kinds: nothing lost", task["lost"], 0)

# strace agrees, on the same command.
script = ("/bin/sh", "-c", "ls /nowhere; cat /; exit 3")
p = subprocess.run(
    ["strace", "-f", "-Z", "-qq", "-o", WORK + "/trace", *script],
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
    stdin=subprocess.DEVNULL,
)
want = collections.Counter()
with open(WORK + "/trace") as f:
    for call, err in re.findall(r"^\d+ +(\w+)\(.* = -1 (E\w+) ", f.read(), re.M):
        if not err.startswith("ERESTART"):
            want[call, getattr(errno, err)] += 1
d.run(*script, task="oracle")
same_rows("the same as strace -Z", rows("oracle"), dict(want))

# A daemon that is stopped for a while, as a busy host would stop it, loses no count.
stop = threading.Event()


def hinder():
    while not stop.wait(0.15):
        os.kill(d.pid, signal.SIGSTOP)
        stop.wait(0.3)
        os.kill(d.pid, signal.SIGCONT)


t = threading.Thread(target=hinder)
t.start()
try:
    _, task, out = d.run(storm, "1000000", "1000", task="hindered")
finally:
    stop.set()
    t.join()
counted("a daemon stopped two thirds of the time", task, int(out))

# Two storms at once, each with its own number.
many = [
    d.start_run(storm, str(100000 + i), str(1 + 20000 * i), task="both-%d" % i) for i in range(2)
]
for i, p in enumerate(many):
    own = int(p.communicate()[0])
    counted("two storms, number %d" % i, d.result("both-%d" % i), own)
finish()
