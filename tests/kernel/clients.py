#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Sixteen harnesses at once: every reply comes, soon, and says what that harness's task did."""
import os
import statistics
import subprocess
import threading
import time

from lib import NOBODY, WORK, Daemon, check, equal, finish, program, verdict, wait_for

CLIENTS, TASKS = 16, 8
storm = program("storm", None, "-static", "-pthread")
secret = WORK + "/secret"
with open(secret, "w"):
    pass
os.chmod(secret, 0o600)
script = "read n; %s $n 50; exec setpriv --reuid=%d cat %s" % (storm, NOBODY, secret)
d = Daemon()
lock = threading.Lock()
waits, wrong = {"begin": [], "end": [], "flush": []}, []


def harness(k):
    with d.client() as c:

        def ask(op, **fields):
            began = time.monotonic()
            reply = c.request(op, **fields)
            with lock:
                waits[op].append(time.monotonic() - began)
                if not reply.get("ok"):
                    wrong.append((op, fields, reply))
            return reply

        for i in range(TASKS):
            task = {"campaign": "test", "task": "c-%d-%d" % (k, i)}
            p = subprocess.Popen(
                ["/bin/sh", "-c", script],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            ask("begin", pid=p.pid, scope=("cgroup", "process")[i % 2], **task)
            p.communicate(b"%d\n" % (1000 * k + 10 * i + 5))
            if i % 4 == 3:
                ask("end", wait=False, **task)
                ask("flush")
                continue
            got = ask("end", **task).get("task") or {}
            if (got.get("state"), got.get("exit_code"), got.get("lost")) != ("final", 1, 0):
                with lock:
                    wrong.append((task, got))


threads = [threading.Thread(target=harness, args=(k,)) for k in range(CLIENTS)]
for t in threads:
    t.start()
for t in threads:
    t.join()
equal("sixteen clients: each reply, and what it says", wrong[:3], [])
equal(
    "… none is missing",
    {op: len(v) for op, v in waits.items()},
    {"begin": CLIENTS * TASKS, "end": CLIENTS * TASKS, "flush": CLIENTS * TASKS // 4},
)
for op, v in sorted(waits.items()):
    check("… %s: soon" % op, statistics.median(v) < 0.5 and max(v) < 5, repr(sorted(v)[-5:]))
final = "SELECT count(*) FROM task WHERE state = 'final' AND outcome = 'failed'"
wait_for(lambda: d.sql(final)[0][0] == CLIENTS * TASKS, 5)
equal("all are final", d.sql(final)[0][0], CLIENTS * TASKS)
names = [(k, i) for k in range(CLIENTS) for i in range(TASKS)]
more = {  # than the storm's: what the loader of setpriv and cat looks for in vain, the same in all
    d.opens("c-%d-%d" % (k, i)) - (1000 * k + 10 * i + 5) for k, i in names
}
check("each has its own counts", len(more) == 1 and min(more) >= 0, repr(more))
equal(
    "each has its own verdict",
    {verdict(d.task("c-%d-%d" % n)) for n in names[::5]},
    {"sandbox/file-permission/denied"},
)
equal("none is open", d.request("status").get("tasks_open"), 0)
finish()
