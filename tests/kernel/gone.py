#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What is known of a failure where nobody could look in time: the daemon and its helpers stand still
while a sandbox fails, and go on when its last process and its mounts have gone."""
import os
import shutil
import signal
import subprocess

from lib import Daemon, WORK, cgroup_name, check, equal, finish, inside, make_cgroup, skip, verdict

d = Daemon()
cgroup = make_cgroup("sandfault-gone-%d" % os.getpid())
shown = os.path.join(WORK, "shown")  # there outside, for every user
os.mkdir(shown)
with open(os.path.join(shown, "token"), "w") as f:
    f.write("KEY=1\n")
os.chmod(shown, 0o755)


def still(pid, sig):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
        children = [int(p) for p in f.read().split()]
    for p in [pid, *children] if sig == signal.SIGSTOP else [*children, pid]:
        os.kill(p, sig)


def unseen(name, *command):
    """Its final JSON, judged after it was gone."""
    d.request("begin", campaign="test", task=name, cgroup=cgroup_name(cgroup))
    still(d.pid, signal.SIGSTOP)
    try:
        status = subprocess.run(
            command,
            preexec_fn=inside(cgroup),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=60,
        ).returncode
    finally:
        still(d.pid, signal.SIGCONT)
    outcome = "failed" if status else "ok"
    return d.request("end", campaign="test", task=name, outcome=outcome).get("task", {})


def expect(name, want, subject, confidences, *command):
    task = unseen(name, *command)
    got = task.get("verdict") or {}
    if not check(
        name,
        verdict(task) == want and subject in got["subject"] and got["confidence"] in confidences,
        "expected %s %s, %s, got %r" % (want, subject, confidences, got),
    ):
        print(task.get("failures"))
    evidence = [e for f in task.get("failures", []) for e in f["evidence"]]
    return any(e.startswith("state gone") for e in evidence)


def in_mounts(script, *args):
    return ["unshare", "-m", "/bin/sh", "-c", script, *args]


scratch = os.path.join(WORK, "scratch")
os.mkdir(scratch)
said = expect(
    "a program on a noexec mount",
    "sandbox/noexec/mount",
    "scratch/run",
    ["likely"],
    *in_mounts('mount -t tmpfs -o noexec x "$0" && cp /bin/true "$0/run" && "$0/run"', scratch)
)
check("… and it says that the state was gone", said, "expected `state gone` in the evidence")
expect(
    "a node on a nodev mount",
    "sandbox/masked/file",
    "token",
    ["likely"],
    *in_mounts(
        'mount --bind /dev/null "$0" && mount -o remount,bind,nodev "$0" && cat "$0"',
        os.path.join(shown, "token"),
    )
)
expect(
    "a full tmpfs, by its inodes",
    "sandbox/disk/inodes",
    "scratch",
    ["likely"],
    *in_mounts('mount -t tmpfs -o nr_inodes=2 x "$0" && touch "$0/a" && touch "$0/b"', scratch)
)
nobody = ["setpriv", "--reuid=65534", "--clear-groups"]
expect(
    "a directory that a mount shuts",
    "sandbox/masked/file",
    "shown/token",
    ["likely"],
    *in_mounts('mount -t tmpfs -o mode=0700 x "$0" && exec "$@" cat "$0/token"', shown, *nobody)
)
expect(
    "a directory that shuts itself: nobody could see whose it is",
    "sandbox/file-permission/denied",
    "scratch/in",
    ["possible", "certain"],  # certain: where the kernel tells of a check for an override
    *in_mounts(
        'mkdir -m 700 "$0/in"; "$@" cat "$0/in/f"; r=$?; rmdir "$0/in"; exit $r', scratch, *nobody
    )
)
if shutil.which("bwrap") and os.path.exists("/etc/ssl/openssl.cnf"):
    expect(
        "a file that a mount hides, after the root was changed",
        "sandbox/masked/file",
        "/etc/ssl/openssl.cnf",
        ["certain", "likely"],
        "bwrap",
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--tmpfs",
        "/etc/ssl",
        "cat",
        "/etc/ssl/openssl.cnf",
    )
else:
    skip("a file that a mount hides", "no bwrap, or no /etc/ssl/openssl.cnf")
lost = d.sql("SELECT sum(value) FROM counter WHERE name IN ('lost_mounts', 'lost_events')")
equal("no mount table was lost", lost[0][0], 0)
equal("clean stop", d.stop(), 0)
finish()
