#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Tasks by cgroup: begun, nested, made before a process is in, by template; and what is refused."""
import os
import subprocess

from lib import (
    V2,
    Daemon,
    cgroup_name,
    check,
    equal,
    fail_in,
    finish,
    inside,
    make_cgroup,
    program,
    remove_cgroup,
    verdict,
    wait_for,
)

root = "sandfault-test-%d" % os.getpid()
storm = program("storm", None, "-static", "-pthread")
d = Daemon()


def state(daemon, task, campaign="test"):
    row = daemon.sql(
        "SELECT state FROM task WHERE campaign = ? AND name = ? ORDER BY attempt DESC LIMIT 1",
        campaign,
        task,
    )
    return row[0][0] if row else None


# One cgroup, and what grows below it after `begin`: in before its first process runs.
top = make_cgroup(root + "/one")
early = make_cgroup(root + "/one/early")
reply = d.request(
    "begin", campaign="test", task="nested", labels={"app": "web"}, cgroup=cgroup_name(top)
)
check(
    "begin",
    reply.get("ok") is True and reply.get("attempt") == 1 and reply.get("instance", 0) > 0,
    repr(reply),
)
fail_in(top, 11)
fail_in(early, 13)
fail_in(make_cgroup(root + "/one/late/deeper"), 17)
reply = d.request("end", campaign="test", task="nested", outcome="failed", exit_code=7)
task = reply.get("task", {})
equal("nested: counts of all levels", d.opens("nested"), 11 + 13 + 17)
equal(
    "nested: what end says",
    (task.get("state"), task.get("outcome"), task.get("exit_code"), task.get("labels")),
    ("final", "failed", 7, {"app": "web"}),
)

# Refusals, and attempts.
cg = make_cgroup(root + "/two")
by_name = {"campaign": "test", "task": "two", "cgroup": cgroup_name(cg)}
equal("first attempt", d.request("begin", **by_name).get("attempt"), 1)
equal("an open task exists", d.request("begin", **by_name).get("error"), "exists")
equal(
    "an occupied cgroup is busy",
    d.request("begin", **dict(by_name, task="three")).get("error"),
    "busy",
)
fail_in(cg, 3)
equal("end", d.request("end", campaign="test", task="two", outcome="ok")["task"]["outcome"], "ok")
equal("second attempt", d.request("begin", **by_name).get("attempt"), 2)
fail_in(cg, 5)
equal(
    "end of the second",
    d.request("end", campaign="test", task="two", outcome="failed")["task"]["attempt"],
    2,
)
rows = d.sql(
    "SELECT sum(count) FROM tally JOIN task ON task.id = tally.task "
    "WHERE name = 'two' AND syscall = 'openat' GROUP BY attempt ORDER BY attempt"
)
equal("each attempt has its own counts", rows, [(3,), (5,)])
equal("the earlier one by name", (d.task("two", attempt=1) or {}).get("outcome"), "ok")
equal("the latest one by name", (d.task("two") or {}).get("outcome"), "failed")
equal(
    "end of no task", d.request("end", campaign="test", task="nobody").get("error"), "no-such-task"
)
equal(
    "no such cgroup",
    d.request("begin", campaign="test", task="x", cgroup="/no/where").get("error"),
    "no-such-cgroup",
)
equal(
    "no such process",
    d.request("begin", campaign="test", task="x", pid=(1 << 22) - 1).get("error"),
    "no-such-process",
)

# The next task need not wait for the verdict of the last.
cg = make_cgroup(root + "/relay")
with d.client() as c:
    replies = []
    for i in range(20):
        where = cgroup_name(cg)
        replies.append(c.request("begin", campaign="test", task="relay-%d" % i, cgroup=where))
        fail_in(cg, 10 + i)
        replies.append(c.request("end", campaign="test", task="relay-%d" % i, wait=False))
equal("a begin right after an end", [r for r in replies if not r.get("ok")], [])
wait_for(lambda: all(state(d, "relay-%d" % i) == "final" for i in range(20)), 10)
counts = [d.opens("relay-%d" % i) for i in range(20)]
equal("a begin right after an end: each has its own counts", counts, [10 + i for i in range(20)])

# Its name is free as well, and so are the cgroups below.
below = make_cgroup(root + "/relay/below")
with d.client() as c:
    again = {"campaign": "test", "task": "again", "cgroup": cgroup_name(cg)}
    replies = []
    for i in range(3):
        replies.append(c.request("begin", **again).get("attempt"))
        fail_in(below, 1 + i)
        c.request("end", campaign="test", task="again", wait=False)
equal("the next attempt right after an end", replies, [1, 2, 3])
wait_for(lambda: state(d, "again") == "final", 10)
rows = d.sql(
    "SELECT sum(count) FROM tally JOIN task ON task.id = tally.task "
    "WHERE name = 'again' AND syscall = 'openat' GROUP BY attempt ORDER BY attempt"
)
equal("the next attempt right after an end: counts", rows, [(1,), (2,), (3,)])

# A cgroup that is removed ends its task; one that empties settles it.
cg = make_cgroup(root + "/removed")
d.request("begin", campaign="test", task="removed", cgroup=cgroup_name(cg))
fail_in(cg, 7)
remove_cgroup(cg)
check(
    "a removed cgroup ends its task",
    wait_for(lambda: state(d, "removed") == "final", 10),
    str(state(d, "removed")),
)
equal("a removed cgroup: counts", d.opens("removed"), 7)
cg = make_cgroup(root + "/emptied")
d.request("begin", campaign="test", task="emptied", cgroup=cgroup_name(cg))
subprocess.run(["/bin/sh", "-c", "ls /nowhere 2>/dev/null; exit 4"], preexec_fn=inside(cg))
check(
    "an emptied cgroup ends its task",
    wait_for(lambda: state(d, "emptied") == "final", 10),
    str(state(d, "emptied")),
)
task = d.task("emptied")
equal(
    "an emptied cgroup: the outcome is the root process's",
    task and (task["outcome"], task["exit_code"]),
    ("failed", 4),
)

# A pid: the daemon makes a cgroup for it and moves it there.
p = subprocess.Popen(
    ["/bin/sh", "-c", 'read go; "$0" 9 1 >/dev/null; exit 5', storm], stdin=subprocess.PIPE
)
with open("/proc/%d/cgroup" % p.pid) as f:
    before = f.read()
reply = d.request("begin", campaign="test", task="by-pid", pid=p.pid)
check("begin by pid", reply.get("ok"), repr(reply))
with open("/proc/%d/cgroup" % p.pid) as f:
    after = f.read()
check("begin by pid: it was moved", before != after, after)
p.communicate(b"go\n")
task = d.request("end", campaign="test", task="by-pid").get("task", {})
equal(
    "begin by pid: counts, and the outcome of its root process",
    (d.opens("by-pid"), task.get("outcome"), task.get("exit_code")),
    (9, "failed", 5),
)
where = V2 + next(line[3:] for line in after.split("\n") if line.startswith("0::"))
check(
    "begin by pid: its cgroup goes with the verdict",
    wait_for(lambda: not os.path.exists(where)),
    where,
)

# What is left behind in such a cgroup keeps it; so does the next task that is begun with it.
p = subprocess.Popen(["sleep", "60"])
leaf = d.request("begin", campaign="test", task="leaf-1", pid=p.pid)["cgroup"]
d.request("end", campaign="test", task="leaf-1", outcome="ok", wait=False)
equal(
    "the next task in such a cgroup",
    d.request("begin", campaign="test", task="leaf-2", cgroup=leaf).get("ok"),
    True,
)
p.kill()
p.wait()
fail_in(V2 + leaf, 3)  # long after the first one is final
equal("… is watched", (d.request("flush").get("ok"), d.opens("leaf-2")), (True, 3))
d.request("end", campaign="test", task="leaf-2", outcome="ok")
check("… and the cgroup goes with it", wait_for(lambda: not os.path.exists(V2 + leaf)), V2 + leaf)
equal("clean stop", d.stop(), 0)

# Templates: cgroups that existed before, cgroups that come later, and those that match nothing.
there = make_cgroup(root + "/nightly/web/t-1")
waiting = subprocess.Popen(
    ["/bin/sh", "-c", 'read go; exec "$0" 21 1', storm],
    stdin=subprocess.PIPE,
    stdout=subprocess.DEVNULL,
    preexec_fn=inside(there),
)
d = Daemon(
    name="templates",
    config="template = /%s/{campaign}/{label.app}/{task}\n"
    "template = /%s/box-{task}.scope\n" % (root, root),
)
waiting.communicate(b"go\n")
fail_in(make_cgroup(root + "/nightly/files/t-2"), 23)
fail_in(make_cgroup(root + "/nightly/files/t-2/deeper/still"), 1)
fail_in(make_cgroup(root + "/box-t-3.scope"), 25)
fail_in(make_cgroup(root + "/stray"), 27)
for name, n in (("t-1", 21), ("t-2", 24), ("t-3", 25)):
    wait_for(lambda: d.opens(name) == n, 5)
    equal("template: counts of " + name, d.opens(name), n)
tasks = {
    t: (c, s, labels)
    for t, c, s, labels in d.sql(
        "SELECT t.name, campaign, source, group_concat(l.name || '=' || l.value) "
        "FROM task t LEFT JOIN label l ON l.task = t.id "
        "GROUP BY t.id"
    )
}
equal(
    "template: names out of the path",
    (tasks.get("t-1"), tasks.get("t-2")),
    (("nightly", "template", "app=web"), ("nightly", "template", "app=files")),
)
wait_for(lambda: d.opens("unattributed") >= 27, 5)
equal("below the root and matching nothing: counted as unattributed", d.opens("unattributed"), 27)
subprocess.run([storm, "5", "1"], stdout=subprocess.DEVNULL)  # the rest of the host
equal(
    "all that is recorded",
    d.sql("SELECT sum(count) FROM tally WHERE syscall = 'openat' AND errno = 2")[0][0],
    21 + 24 + 25 + 27,
)
for name in ("t-1", "t-2", "t-3"):
    campaign = tasks.get(name, ("?",))[0]
    check(
        "template: %s ends when its cgroup empties" % name,
        wait_for(lambda: state(d, name, campaign) == "final", 10),
        str(state(d, name, campaign)),
    )
fail_in(there, 2)
equal(
    "template: a cgroup used again after its task ended",
    verdict(d.task("t-1", campaign="nightly")),
    None,
)
finish()
