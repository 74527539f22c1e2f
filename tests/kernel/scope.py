#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Many tasks in one container: each is a process and its descendants, and nobody is moved."""
import os
import subprocess

from lib import Daemon, cgroup_name, check, equal, finish, inside, make_cgroup, program

root = "sandfault-test-%d" % os.getpid()
storm = program("storm", None, "-static", "-pthread")
d = Daemon()
cg = make_cgroup(root)


def worker(status):
    """A shell that waits for a number, fails so many opens in a grandchild, and ends."""
    script = 'read n; /bin/sh -c \'"$0" "$1" 1 >/dev/null; :\' "$0" "$n"; exit %d' % status
    return subprocess.Popen(
        ["/bin/sh", "-c", script, storm], stdin=subprocess.PIPE, preexec_fn=inside(cg)
    )


workers = [worker(i % 3) for i in range(12)]
bystander = worker(0)
with d.client() as c:
    for i, p in enumerate(workers):
        reply = c.request(
            "begin",
            campaign="test",
            task="w-%d" % i,
            pid=p.pid,
            scope="process",
            labels={"n": str(i)},
        )
        if not reply.get("ok"):
            check("begin %d" % i, False, repr(reply))
    for i, p in enumerate(workers):
        with open("/proc/%d/cgroup" % p.pid) as f:
            here = [line[3:] for line in f.read().split("\n") if line.startswith("0::")]
        if here != [cgroup_name(cg)]:
            check("worker %d stays where it is" % i, False, repr(here))
    equal(
        "the same process again is busy",
        c.request("begin", campaign="test", task="again", pid=workers[0].pid, scope="process").get(
            "error"
        ),
        "busy",
    )
    for i, p in enumerate(workers):
        p.stdin.write(b"%d\n" % (100 + i))
        p.stdin.flush()
    bystander.communicate(b"999\n")
    for p in workers:
        p.communicate()
    ended = [
        c.request("end", campaign="test", task="w-%d" % i).get("task", {})
        for i in range(len(workers))
    ]
equal(
    "each task has its own counts",
    [d.opens("w-%d" % i) for i in range(len(workers))],
    [100 + i for i in range(len(workers))],
)
equal(
    "each task has its own outcome",
    [(t.get("outcome"), t.get("exit_code")) for t in ended],
    [("failed" if p.returncode else "ok", p.returncode) for p in workers],
)
equal(
    "the neighbour is nobody's",
    d.sql("SELECT sum(count) FROM tally WHERE syscall = 'openat' AND errno = 2")[0][0],
    sum(100 + i for i in range(len(workers))),
)

# A process is one task's, whichever way it was begun; a cgroup around it may be another's.
p = worker(0)
outer = {"campaign": "test", "task": "outer", "cgroup": cgroup_name(cg)}
begun = [d.request("begin", **outer).get("ok")]
for i, (mine, theirs) in enumerate(
    (a, b) for a in ("cgroup", "process") for b in ("cgroup", "process", "auto")
):
    name = "own-%d" % i
    begun.append(d.request("begin", campaign="test", task=name, pid=p.pid, scope=mine).get("ok"))
    equal(
        "begun by %s, then by %s: busy" % (mine, theirs),
        d.request("begin", campaign="test", task="thief", pid=p.pid, scope=theirs).get("error"),
        "busy",
    )
    begun.append(d.request("end", campaign="test", task=name, wait=False).get("ok"))
equal("… and free after the end, within a task that is a cgroup", begun, [True] * 13)
p.communicate(b"7\n")
d.request("end", campaign="test", task="outer")

# A worker that serves task after task: the process stays, its tasks change.
pool = subprocess.Popen(
    ["/bin/sh", "-c", 'while read n; do "$0" "$n" 1; done', storm],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    preexec_fn=inside(cg),
)
for i in range(5):
    d.request("begin", campaign="test", task="turn-%d" % i, pid=pool.pid, scope="process")
    pool.stdin.write(b"%d\n" % (50 + i))
    pool.stdin.flush()
    pool.stdout.readline()
    d.request("end", campaign="test", task="turn-%d" % i, outcome="ok")
pool.communicate()
equal(
    "a pool: each turn has its own counts",
    [d.opens("turn-%d" % i) for i in range(5)],
    [50 + i for i in range(5)],
)

# Whoever hands in a parent gets its children, but for those that are another task's already.
for mine in ("cgroup", "process"):
    child, other = worker(0), worker(0)
    d.request("begin", campaign="test", task="child-" + mine, pid=child.pid, scope=mine)
    reply = d.request(
        "begin", campaign="test", task="whole-" + mine, pid=os.getpid(), scope="process"
    )
    check("a parent whose child is a task by " + mine, reply.get("ok"), repr(reply))
    child.communicate(b"21\n")
    other.communicate(b"34\n")
    for task in ("child-", "whole-"):
        d.request("end", campaign="test", task=task + mine, outcome="ok")
    equal("… the child keeps its own", d.opens("child-" + mine), 21)
    check(
        "… the parent has the rest",
        34 <= d.opens("whole-" + mine) < 34 + 21,
        repr(d.opens("whole-" + mine)),
    )
finish()
