#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Databases that are newer, corrupt, or on a full disk: nothing is lost, the daemon lives."""
import glob
import hashlib
import os
import sqlite3
import subprocess

from lib import (
    SANDFAULT,
    SANDFAULTD,
    WORK,
    Daemon,
    call,
    cgroup_name,
    check,
    equal,
    finish,
    inside,
    make_cgroup,
    program,
    refused,
    wait_for,
)

storm = program("storm", None, "-static", "-pthread")


def digest(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


# ---- databases ----

newer = os.path.join(WORK, "newer.db")
con = sqlite3.connect(newer)
con.executescript("PRAGMA user_version = 99; CREATE TABLE task (x); INSERT INTO task VALUES (1);")
con.close()
before = digest(newer)
refused(
    "a newer database",
    1,
    SANDFAULTD,
    "--config",
    "/dev/null",
    "--group",
    "-",
    "--db",
    newer,
    "--socket",
    WORK + "/n.sock",
    says="newer.db",
)
equal("a newer database is left as it was", digest(newer), before)
refused("a newer database: queries", 1, SANDFAULT, "task", "list", "--db", newer)

torn = os.path.join(WORK, "torn")
os.mkdir(torn)
garbage = os.urandom(1 << 16)
with open(torn + "/sandfault.db", "wb") as f:
    f.write(garbage)
d = Daemon(name="torn")
aside = glob.glob(torn + "/sandfault.db.corrupt*")
check(
    "a corrupt database is kept aside",
    len(aside) == 1 and open(aside[0], "rb").read() == garbage,
    repr(aside),
)
status, task, out = d.run(storm, "5", "1", task="after")
equal(
    "a corrupt database: a new one is used",
    (status, d.tally("after", "syscall = 'openat'")),
    (0, 5),
)
d.stop()

# ---- a full disk ----

disk = os.path.join(WORK, "disk")
os.mkdir(disk)
d = Daemon(
    name="full",
    db=disk + "/sandfault.db",
    prefix=(
        "unshare",
        "-m",
        "/bin/sh",
        "-c",
        'mount -t tmpfs -o size=1m none "$0" && exec "$@"',
        disk,
    ),
)
inner = "/proc/%d/root%s" % (d.pid, disk)  # the disk is in the daemon's own mount namespace


def fill():
    with open(inner + "/fill", "wb", buffering=0) as f:
        try:
            while True:
                f.write(bytes(4096))
        except OSError:
            return True


cg = make_cgroup("sandfault-test-%d" % os.getpid())
check("full disk: it was started and is full", d.alive() and fill(), d.logged()[-300:])
for i in range(20):
    d.request(
        "begin",
        campaign="test",
        task="full-%d" % i,
        cgroup=cgroup_name(cg),
        labels={"l%d" % n: "x" * 200 for n in range(20)},
    )
    subprocess.run([storm, "50", "50"], preexec_fn=inside(cg), stdout=subprocess.DEVNULL)
    d.request("end", campaign="test", task="full-%d" % i, outcome="failed", wait=False)
check(
    "full disk: the daemon lives and answers",
    d.alive() and d.request("status").get("ok"),
    d.logged()[-300:],
)
check(
    "full disk: it says so",
    "full" in d.logged().lower() or "no space" in d.logged().lower(),
    d.logged()[-500:],
)
os.unlink(inner + "/fill")


def stored():
    """Counts on that disk; SQLite resolves /proc/PID/root itself, so this goes by nsenter."""
    query = "SELECT sum(count) FROM tally WHERE syscall = 'openat' AND errno = 2"
    where = ["nsenter", "-m", "-t", str(d.pid)]
    return call(*where, "sqlite3", "-readonly", d.db, query)[1].strip()


check(
    "full disk: all counts are there once there is room",
    wait_for(lambda: stored() == "1000", 15),
    "%r" % stored(),
)
equal("full disk: a clean stop", d.stop(), 0)
finish()
