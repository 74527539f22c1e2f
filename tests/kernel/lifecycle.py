#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Start, stop, crash, restart, reload; and that nothing is left behind."""
import glob
import json
import os
import signal
import subprocess
import time

from lib import (
    SANDFAULT,
    V2,
    WORK,
    Daemon,
    cgroup_name,
    check,
    equal,
    fail_in,
    finish,
    inside,
    load,
    make_cgroup,
    program,
    remove_cgroup,
    sql,
    wait_for,
)

root = "sandfault-test-%d" % os.getpid()
storm = program("storm", None, "-static", "-pthread")


# ---- a thousand tasks leave nothing behind ----


def map_entries(pid):
    """Entries of the daemon's tables of tasks, by name of the map."""
    ids = set()
    for info in glob.glob("/proc/%d/fdinfo/*" % pid):
        try:
            with open(info) as f:
                ids.update(line.split()[1] for line in f if line.startswith("map_id:"))
        except OSError:
            pass
    entries = {}
    for i in ids:
        name = json.loads(
            subprocess.run(["bpftool", "-j", "map", "show", "id", i], stdout=subprocess.PIPE).stdout
        )["name"]
        if name in ("cgroups", "scoped", "instances"):
            dump = subprocess.run(
                ["bpftool", "-j", "map", "dump", "id", i], stdout=subprocess.PIPE
            ).stdout
            entries[name] = len(json.loads(dump))
    return entries


def resident(pid):
    """KiB"""
    with open("/proc/%d/status" % pid) as f:
        return next(int(line.split()[1]) for line in f if line.startswith("VmRSS:"))


def cgroups_left(database):
    """The cgroups of its tasks that still are there."""
    rows = sql(database, "SELECT cgroup FROM task WHERE cgroup IS NOT NULL")
    return [cg for cg, in rows if os.path.exists(V2 + cg)]


def footprint(daemon):
    return {"descriptors": len(os.listdir("/proc/%d/fd" % daemon.pid)), **map_entries(daemon.pid)}


d = Daemon(name="thousand")
places = [make_cgroup("%s/p-%d" % (root, i)) for i in range(250)]
sleepers = [subprocess.Popen(["sleep", "600"]) for _ in range(10)]


def pairs(c, first, last):
    """Begins and ends tasks by cgroup and by process, each place once, pipelined."""
    for i in range(first, last):
        where = {"cgroup": cgroup_name(places[i % len(places)])}
        if i % 25 == 0:
            where = {"pid": sleepers[i // 25 % len(sleepers)].pid, "scope": "process"}
        c.send("begin", campaign="test", task="t-%d" % i, **where)
        c.send("end", campaign="test", task="t-%d" % i, outcome="ok", wait=False)
    return [r for r in (c.read() for _ in range(2 * (last - first))) if not r or not r.get("ok")]


def settled(n):
    return d.sql("SELECT count(*) FROM task WHERE state = 'final' AND outcome = 'ok'")[0][0] == n


with d.client() as c:
    equal("warm-up", pairs(c, 0, 250), [])
    wait_for(lambda: settled(250), 20)
    before, rss = footprint(d), resident(d.pid)
    for i in range(250, 1250, 250):
        equal("pairs %d to %d are answered" % (i, i + 249), pairs(c, i, i + 250), [])
        wait_for(lambda: settled(i + 250), 20)
check(
    "a thousand tasks are final",
    settled(1250),
    repr(d.sql("SELECT state, outcome, count(*) FROM task GROUP BY 1, 2")),
)
wait_for(lambda: all(n <= before[k] for k, n in footprint(d).items()), 30)
after = footprint(d)
check(
    "a thousand tasks leave no descriptor and no map entry",
    all(n <= before[k] for k, n in after.items()),
    "before %r, after %r" % (before, after),
)
check(
    "a thousand tasks leave no memory",
    resident(d.pid) - rss < 4096,
    "%d KiB, then %d" % (rss, resident(d.pid)),
)
for p in sleepers:
    p.kill()
    p.wait()
for path in places:
    remove_cgroup(path)
equal("clean stop", d.stop(), 0)

# ---- fifty runs at once share one private daemon ----

shared = os.path.join(WORK, "shared")
os.mkdir(shared)
db = os.path.join(shared, "db")


def private_daemons():
    """Those with this database; a child that a daemon forked is none."""
    found = {}
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as f:
                words = f.read().split(b"\0")
            with open(path.replace("cmdline", "stat")) as f:
                parent = int(f.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if os.path.basename(words[0]) == b"sandfaultd" and db.encode() in words:
            found[int(path.split("/")[2])] = parent
    return [pid for pid, parent in found.items() if parent not in found]


runs = [
    subprocess.Popen(
        [
            SANDFAULT,
            "run",
            "--db",
            db,
            "--task",
            "r-%d" % i,
            "--quiet",
            "-o",
            "%s/%d.json" % (shared, i),
            "--",
            "/bin/sh",
            "-c",
            '"$0" "$1" 1; exit 3',
            storm,
            str(10 + i),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    for i in range(50)
]
wait_for(private_daemons, 10)
seen = set()
while any(p.poll() is None for p in runs):
    seen.update(private_daemons())
    time.sleep(0.05)
ended = time.monotonic()
equal("fifty runs: the commands' own status", {p.returncode for p in runs}, {3})
results = [load("%s/%d.json" % (shared, i)) for i in range(50)]
equal("fifty runs: each has its final JSON", {(t or {}).get("state") for t in results}, {"final"})
equal(
    "fifty runs: each has its own counts",
    [
        sql(
            db,
            "SELECT coalesce(sum(count), 0) FROM tally JOIN task ON task.id = tally.task "
            "WHERE name = ? AND "
            "syscall = 'openat' AND errno = 2",
            "r-%d" % i,
        )[0][0]
        for i in range(50)
    ],
    [10 + i for i in range(50)],
)
equal("fifty runs: one daemon", len(seen), 1)
check(
    "the private daemon stays for the next run",
    private_daemons() and time.monotonic() - ended < 4,
    repr(seen),
)
check(
    "the private daemon leaves 5 s after the last",
    wait_for(lambda: not private_daemons(), 12),
    repr(private_daemons()),
)
check("… and not before", time.monotonic() - ended > 4, "%.1f s" % (time.monotonic() - ended))
check(
    "fifty runs leave no cgroup",
    wait_for(lambda: not cgroups_left(db), 5),
    "%d of them" % len(cgroups_left(db)),
)
for p in runs:
    p.communicate()


def private_files(database):
    """What a private daemon keeps in /run: named by the FNV-1a hash of the database's path."""
    h = 0xCBF29CE484222325
    for byte in os.path.realpath(database).encode():
        h = (h ^ byte) * 0x100000001B3 % (1 << 64)
    return glob.glob("/run/sandfault/private-%016x.*" % h)


check(
    "the private daemon leaves no file in /run",
    wait_for(lambda: not private_files(db), 5),
    repr(private_files(db)),
)
refused = os.path.join(shared, "refused")
os.mkdir(refused)  # a directory is no database
p = subprocess.run([SANDFAULT, "run", "--db", refused, "--", "true"], stderr=subprocess.PIPE)
equal("a private daemon that can't start", p.returncode, 125)
check("… says why", b"refused" in p.stderr, p.stderr.decode())
equal("… and leaves no file in /run", private_files(refused), [])

# ---- a clean stop, a crash, a restart ----

d = Daemon(name="restart")
stays, goes = make_cgroup(root + "/stays"), make_cgroup(root + "/goes")
for name, cg in (("stays", stays), ("goes", goes)):
    d.request("begin", campaign="test", task=name, cgroup=cgroup_name(cg))
    fail_in(cg, 5)
holder = subprocess.Popen(  # of the few programs that open nothing in vain
    ["/bin/sh", "-c", "read line"], stdin=subprocess.PIPE, preexec_fn=inside(stays)
)
equal("flush", d.request("flush").get("ok"), True)
equal("what was flushed is on disk", (d.opens("stays"), d.opens("goes")), (5, 5))
d.kill()
remove_cgroup(goes)
fail_in(stays, 100)  # nobody watches: this is the gap
d.start()
fail_in(stays, 7)
task = d.request("end", campaign="test", task="stays", outcome="failed").get("task", {})
equal("after a crash an open task goes on", (task.get("outcome"), d.opens("stays")), ("failed", 12))
wait_for(lambda: (d.task("goes") or {}).get("state") == "final", 10)
gone = d.task("goes") or {}
equal(
    "a task whose cgroup is gone ends as unknown",
    (gone.get("state"), gone.get("outcome")),
    ("final", "unknown"),
)
gaps = d.sql("SELECT from_ns, to_ns, reason FROM gap")
check("the gap is on record", len(gaps) == 1 and 0 < gaps[0][0] < gaps[0][1], repr(gaps))
holder.kill()
holder.wait()

cg = make_cgroup(root + "/over-stop")
d.request("begin", campaign="test", task="over-stop", cgroup=cgroup_name(cg))
fail_in(cg, 9)
began = time.monotonic()
equal("SIGTERM: the exit status", d.stop(), 0)
check(
    "SIGTERM: within two seconds",
    time.monotonic() - began < 2,
    "%.1f s" % (time.monotonic() - began),
)
check("SIGTERM: the socket is gone", not os.path.exists(d.socket), d.socket)
check(
    "SIGTERM: the stop is on record",
    d.sql("SELECT stopped_ns FROM daemon")[0][0],
    repr(d.sql("SELECT * FROM daemon")),
)
equal("SIGTERM: what was seen is on disk", d.opens("over-stop"), 9)
p = subprocess.run(
    [SANDFAULT, "task", "list", "--db", d.db, "--json"],
    stdout=subprocess.PIPE,
    stderr=subprocess.PIPE,
)
equal("queries work without a daemon", p.returncode, 0)
check("… and say so", b"daemon not running" in p.stderr, p.stderr.decode())
d.start()
fail_in(cg, 9)
task = d.request("end", campaign="test", task="over-stop", outcome="ok").get("task", {})
equal(
    "after a clean stop an open task goes on",
    (task.get("outcome"), d.opens("over-stop")),
    ("ok", 18),
)

# ---- reload ----

late = make_cgroup(root + "/reloaded/t-9")
with open(d.config, "w") as f:
    f.write("template = /%s/reloaded/{task}\n" % root)
d.process.send_signal(signal.SIGHUP)


def attributed():
    fail_in(late, 1)
    return d.opens("t-9")


def reload():
    d.process.send_signal(signal.SIGHUP)

    def taken():
        with open("/proc/%d/status" % d.pid) as f:
            sets = [int(line.split()[1], 16) for line in f if line.startswith(("SigPnd", "ShdPnd"))]
        return not any(s >> (signal.SIGHUP - 1) & 1 for s in sets)

    wait_for(taken, 5)
    d.request("status")  # taken is not done yet: what asks next waits for it


check("SIGHUP takes a new template over", wait_for(attributed, 10), d.logged()[-500:])
reads = d.logged().count("read again")
for level in ("error", "info"):
    with open(d.config, "w") as f:
        f.write("log-level = %s\n" % level)
    reload()
equal("SIGHUP takes a log level over", d.logged().count("read again") - reads, 1)
with open(d.config, "w") as f:
    f.write("no-such-key = 1\n")
reload()
check(
    "SIGHUP with a bad file is refused by name and line",
    wait_for(lambda: "sandfault.conf:1" in d.logged(), 5),
    d.logged()[-500:],
)
equal("… and the daemon lives on", d.request("status").get("ok"), True)
d.stop()
line = make_cgroup(root + "/line/t-1")
late = make_cgroup(root + "/later/t-2")
d.options = ("--template", "/%s/line/{task}" % root)
with open(d.config, "w"):
    pass
d.start()
with open(d.config, "w") as f:
    f.write("template = /%s/later/{task}\n" % root)
reload()
fail_in(line, 1)
fail_in(late, 1)
check(
    "SIGHUP keeps what the command line says",
    wait_for(lambda: (d.opens("t-1"), d.opens("t-2")) == (1, 1), 5),
    repr((d.opens("t-1"), d.opens("t-2"), d.logged()[-500:])),
)
d.options = ()
for sig in (signal.SIGINT, signal.SIGTERM):
    d.process.send_signal(sig)
    equal("stopped by %s" % sig.name, d.process.wait(10), 0)
    d.config = os.devnull
    d.start()
d.stop()
finish()
