#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Signals: who sent it decides."""
import os

from lib import WORK, Daemon, equal, finish, judged, program, verdict, wait_for

d = Daemon()
act = program("act", None, "-pthread")
pidfile = os.path.join(WORK, "pid")


def killed_from_outside(task, sig):
    p = d.start_run("/bin/sh", "-c", 'echo $$ >"$0"; exec sleep 30', pidfile, task=task)
    pid = wait_for(lambda: os.path.exists(pidfile) and open(pidfile).read().strip())
    os.kill(int(pid), sig)
    os.unlink(pidfile)
    p.communicate(timeout=30)
    return p.returncode, d.result(task)


with open("/proc/self/comm") as f:
    me = f.read().strip()
for sig, label in ((9, "SIGKILL"), (15, "SIGTERM")):
    status, task = killed_from_outside(label, sig)
    judged(label + " from outside", task, "interface/deadline/killed", me, "killed")
    equal(label + " from outside: the status of run", status, 128 + sig)
for what, sig in (("segv", "SIGSEGV"), ("abort", "SIGABRT")):
    _, task, _ = d.run("prlimit", "--core=0", act, what, task=what)
    judged(what + " is the program's own", task, "workload/crash/signal", None, "killed")
    equal(what + ": the signal", task and task["signal"], sig)
status, task, _ = d.run("/bin/sh", "-c", "sleep 30 & kill -KILL $!; wait; exit 0", task="own-child")
equal("a kill inside the task that does no harm", (status, verdict(task)), (0, None))
status, task, _ = d.run("/bin/sh", "-c", "exit 3", task="plain")
judged("a plain exit is the workload's", task, "workload/exit/non-zero", None, "failed")
finish()
