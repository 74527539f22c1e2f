#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Tool servers outside of every task: by a task's begin, by process, by cgroup, by pattern; and whose
their calls are, where one server serves many tasks."""
import json
import os
import subprocess

from lib import (
    PYTHON,
    SANDFAULT,
    Daemon,
    call,
    check,
    equal,
    finish,
    make_cgroup,
    refused,
    sql,
    wait_for,
)

SERVER = r"""
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if "id" in m:
        print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": {}}), flush=True)
"""
# A process that is a task: it asks the server whose pipes it has inherited when it is told to.
ASKER = r"""
import json, sys
to, back = open(int(sys.argv[1]), "w"), open(int(sys.argv[2]))
for line in sys.stdin:
    m = {"jsonrpc": "2.0", "id": line.strip(), "method": "tools/call", "params": {"name": line.strip()}}
    print(json.dumps(m), file=to, flush=True)
    json.loads(back.readline())
    print("answered", flush=True)
"""


class Server:
    """One that runs in the test's own cgroup, or in another."""

    def __init__(self, mark="plain", cgroup=None):
        def enter():
            if cgroup:
                with open(cgroup + "/cgroup.procs", "w") as f:
                    f.write(str(os.getpid()))

        self.process = subprocess.Popen(
            [PYTHON, "-c", SERVER, mark],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            preexec_fn=enter,
            text=True,
        )
        self.pid = self.process.pid
        self.ask("hello")

    def ask(self, tool):
        m = {
            "jsonrpc": "2.0",
            "id": tool,
            "method": "tools/call",
            "params": {"name": tool},
        }
        print(json.dumps(m), file=self.process.stdin, flush=True)
        check(
            tool + ": is answered",
            json.loads(self.process.stdout.readline())["id"] == tool,
        )

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)


class Task:
    """A process that does nothing, unless it is to ask a server."""

    def __init__(self, d, name, server, asks=False):
        self.d = d
        self.name = name
        fds = (server.process.stdin.fileno(), server.process.stdout.fileno()) if asks else ()
        command = [PYTHON, "-c", ASKER, *map(str, fds)] if asks else ["sleep", "1000"]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=fds,
            text=True,
        )
        reply = d.request("begin", task=name, pid=self.process.pid, server=server.pid)
        check(name + ": begins", reply["ok"], reply)

    def ask(self, tool):
        print(tool, file=self.process.stdin, flush=True)
        equal(tool + ": is answered", self.process.stdout.readline(), "answered\n")

    def end(self):
        reply = self.d.request("end", task=self.name, outcome="ok")
        check(self.name + ": ends", reply["ok"], reply)
        self.process.kill()
        self.process.wait()


d = Daemon()


def owner(tool):
    """The task that the call is stored with."""

    def look():
        d.request("flush")
        rows = sql(
            d.db,
            "SELECT t.name FROM call c JOIN task t ON t.id = c.task WHERE CAST(c.tool AS TEXT) = ?",
            tool,
        )
        return [r[0] for r in rows]

    found = wait_for(look, 5)
    return found[0] if len(found) == 1 else found


def nobodys(tool):
    d.request("flush")
    rows = sql(d.db, "SELECT count(*) FROM call WHERE CAST(tool AS TEXT) = ?", tool)
    equal(tool + ": is nobody's", rows[0][0], 0)


# ---- a task's own ----

s = Server()
nobodys("hello")
first = Task(d, "first", s)
s.ask("for-first")
first.end()
second = Task(d, "second", s)
s.ask("for-second")
second.end()
equal("a call is that task's", owner("for-first"), "first")
equal("... and the next task's, who has the same server", owner("for-second"), "second")
wait_for(lambda: not d.request("channel", action="list")["servers"])
s.ask("for-none")
nobodys("for-none")

both = [Task(d, "left", s, asks=True), Task(d, "right", s, asks=True)]
both[0].ask("of-left")
both[1].ask("of-right")
both[0].ask("of-left-again")
for t in both:
    t.end()
equal("two tasks at once: who asks tells", owner("of-left"), "left")
equal("... both", owner("of-right"), "right")
equal("... in turn", owner("of-left-again"), "left")

reply = d.request("begin", task="x", pid=os.getpid(), server=2**22 - 1)
equal("no such server", reply["error"], "no-such-process")

# ---- by process ----


def sf(*words):
    return call(SANDFAULT, "channel", *words, "--socket", d.socket)


equal("channel add", sf("add", "--pid", str(s.pid))[0], 0)
s.ask("by-pid")
equal("a named server's call has no task of its own", owner("by-pid"), "unattributed")
listed = d.request("channel", action="list")
equal("it is listed", listed["servers"], [{"pid": s.pid, "by": ["user"]}])
session = [x for x in listed["sessions"] if x["server"] == s.pid]
equal("... with its session", [x["task"] for x in session], ["unattributed"])
status, out, _ = sf("list")
check("channel list", status == 0 and str(s.pid) in out and "by user" in out, out)
equal("channel remove", sf("remove", "--pid", str(s.pid))[0], 0)
s.ask("removed")
nobodys("removed")
refused(
    "removed twice",
    1,
    *[SANDFAULT, "channel", "remove", "--socket", d.socket],
    "--pid",
    str(s.pid),
    says="was not added"
)
s.close()

# ---- by cgroup ----

path = make_cgroup("sandfault-named")
name = "/" + os.path.basename(path)
before = Server(cgroup=path)
equal("add a cgroup", sf("add", "--cgroup", name)[0], 0)
before.ask("by-cgroup")
after = Server(cgroup=path)
after.ask("by-cgroup-later")
equal("one that ran there", owner("by-cgroup"), "unattributed")
equal("... and one that came", owner("by-cgroup-later"), "unattributed")
equal("remove the cgroup", sf("remove", "--cgroup", name)[0], 0)
refused(
    "a cgroup that is not there",
    1,
    *[SANDFAULT, "channel", "add", "--socket", d.socket],
    "--cgroup",
    "/no/such",
    says="no such cgroup"
)
before.close()
after.close()

# ---- by pattern ----

before = Server(mark="my-tool-server")
equal("add a pattern", sf("add", "--pattern", "*my-tool-server")[0], 0)
before.ask("by-pattern")
after = Server(mark="my-tool-server")
wait_for(lambda: str(after.pid) in json.dumps(d.request("channel", action="list")["servers"]))
after.ask("by-pattern-later")
other = Server(mark="another")
other.ask("fits-none")
equal("one that ran", owner("by-pattern"), "unattributed")
equal("... and one that came", owner("by-pattern-later"), "unattributed")
nobodys("fits-none")
equal("remove the pattern", sf("remove", "--pattern", "*my-tool-server")[0], 0)
equal("... with its servers", d.request("channel", action="list")["servers"], [])
for x in (before, after, other):
    x.close()
refused("one of them", 2, SANDFAULT, "channel", "add", "--pid", "1", "--pattern", "x")
check("the daemon lives", d.alive())
finish()
