#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Limits: the one that was hit is named, and whose it was."""
import os
import subprocess

from lib import (
    NOBODY,
    PYTHON,
    V2,
    WORK,
    Daemon,
    cgroup_name,
    equal,
    finish,
    inside,
    judged,
    make_cgroup,
    program,
    skip,
    subject,
    v1_mount,
)

d = Daemon()
act = program("act", None, "-pthread")
USER = ("setpriv", "--reuid=%d" % NOBODY, "--regid=%d" % NOBODY, "--clear-groups")


def limited(name, want, about, *command, outcome="failed"):
    status, task, _ = d.run(*command, task=name)
    if status == 77:
        return skip(name, "can't be set up here: " + d.last_err.strip()[-100:])
    judged(name, task, want, about, outcome)


limited(
    "descriptors",
    "sandbox/fds/process-limit",
    "/dev/null",
    "prlimit",
    "--nofile=24",
    act,
    "descriptors",
    "/dev/null",
)
limited(
    "locked-memory",
    "sandbox/memory/locked",
    "mlock",
    "prlimit",
    "--memlock=65536",
    *USER,
    act,
    "mlock",
    "1048576"
)
limited(
    "address-space",
    "sandbox/memory/address-space",
    "mmap",
    "prlimit",
    "--as=%d" % (256 << 20),
    PYTHON,
    "-S",
    "-c",
    "import mmap; mmap.mmap(-1, 1 << 30)",
)
limited(
    "cpu-time",
    "sandbox/cpu/time-limit",
    None,
    "prlimit",
    "--cpu=1:3",
    "--core=0",
    act,
    "spin",
    outcome="killed",
)
limited(
    "inodes",
    "sandbox/disk/inodes",
    WORK,
    "unshare",
    "-m",
    "/bin/sh",
    "-c",
    'mount -t tmpfs -o nr_inodes=2 none "$0" || exit 77; touch "$0/a"; touch "$0/b" || exit 1',
    d.dir,
)
limited(
    "user-namespaces",
    "sandbox/userns/limit",
    None,
    "unshare",
    "-Ur",
    "/bin/sh",
    "-c",
    "echo 0 >/proc/sys/user/max_user_namespaces || exit 77; exec unshare -U true",
)
limited(
    "inotify-instances",
    "sandbox/quota/inotify-instances",
    "inotify_init",
    "unshare",
    "-Ur",
    "/bin/sh",
    "-c",
    'echo 1 >/proc/sys/user/max_inotify_instances || exit 77; exec "$@"',
    "sh",
    PYTHON,
    "-S",
    "-c",
    "import ctypes, os, sys; c = ctypes.CDLL(None, use_errno=True)\n"
    "for i in range(2):\n if c.inotify_init1(0) < 0: "
    "sys.exit('inotify_init1: ' + os.strerror(ctypes.get_errno()))",
)

# OOM is charged to the cgroup that stood at its limit, not to the victim's own below it. The memory
# controller is a v1 one beside the task's v2 cgroup, or the task's own.
v1 = v1_mount("memory")
name = "sandfault-test-%d" % os.getpid()
task_cg = make_cgroup(name)
if v1:
    owner, limit_file = make_cgroup(name, v1), "memory.limit_in_bytes"
else:
    owner, limit_file = make_cgroup(name + "/owner"), "memory.max"
    for cg in (V2, task_cg, owner):
        with open(cg + "/cgroup.subtree_control", "w") as f:
            f.write("+memory")
victim = make_cgroup(name + "/victim", v1) if v1 else make_cgroup(name + "/owner/victim")
with open(owner + "/" + limit_file, "w") as f:
    f.write(str(64 << 20))
if not v1:
    with open(owner + "/memory.swap.max", "w") as f:
        f.write("0")
d.request("begin", campaign="test", task="oom", cgroup=cgroup_name(task_cg))
p = subprocess.Popen(
    [PYTHON, "-S", "-c", "b = bytearray(b'x' * (1 << 28))"],
    preexec_fn=inside(*([task_cg, victim] if v1 else [victim])),
)
equal("oom: the victim dies of SIGKILL", p.wait(30), -9)
task = d.request("end", campaign="test", task="oom", outcome="killed").get("task")
judged(
    "oom: the owner of the limit",
    task,
    "sandbox/memory/oom-cgroup",
    os.path.basename(owner),
    "killed",
)
equal("oom: not the victim's cgroup", (subject(task) or "victim").endswith("victim"), False)

finish()
