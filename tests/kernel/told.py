#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Tool calls that a harness tells of, joined with what the kernel saw; and the campaign's own word."""
import json
import os
import subprocess
import time

from lib import (
    PYTHON,
    SANDFAULT,
    WORK,
    Client,
    Daemon,
    call,
    check,
    equal,
    finish,
    refused,
    verdict,
)

SEALED = WORK + "/sealed"
os.mkdir(SEALED)
# Does what it is told, line by line, and says that it did. What is refused it swallows, as a tool does.
SCRIPT = r"""
import subprocess, sys
sys.stdin.readline()
subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "none", sys.argv[1]], check=True)
for word in sys.stdin:
    word = word.strip()
    if word == "write":
        try:
            open(sys.argv[1] + "/plan.md", "w")
        except OSError:
            pass
    elif word != "rest":
        sys.exit(int(word))
    print("done", flush=True)
"""
d = Daemon()


class Task:
    """A process that is a task, and its harness."""

    def __init__(self, name):
        self.name = name
        self.process = subprocess.Popen(
            ["unshare", "-m", PYTHON, "-c", SCRIPT, SEALED],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.client = Client(d.socket)
        reply = self.ask("begin", pid=self.process.pid)
        check(name + ": begins", reply["ok"], reply)
        self._write("go")

    def _write(self, word):
        self.process.stdin.write(word.encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, op, **fields):
        return self.client.request(op, campaign="test", task=self.name, **fields)

    def do(self, word):
        """One tool call of the task: the times between which it was done."""
        start = time.time()
        self._write(word)
        assert self.process.stdout.readline() == b"done\n"
        return start, time.time()

    def tell(self, times=None, ok=False, **fields):
        if times:
            fields.update(started=times[0], ended=times[1])
        return self.ask("call", ok=ok, **fields)

    def end(self, status, **fields):
        self._write(str(status))
        self.process.communicate()
        return self.ask("end", exit_code=status, **fields)["task"]


# ---- the join ----

t = Task("refused")
window = t.do("write")
reply = t.tell(
    window,
    tool="write_file",
    path=SEALED + "/plan.md",
    text="EROFS: read-only file system, open '%s/plan.md'" % SEALED,
)
equal("refused: the reply", reply, {"ok": True})
task = t.end(1)
equal("refused by the kernel", verdict(task), "sandbox/read-only/mount")
equal("refused: the subject", task["verdict"]["subject"], SEALED + "/plan.md")
equal("refused: counted", task["calls"], {"total": 1, "failed": 1, "faults": 0})
equal("refused: nothing lost", task["lost"], 0)

t = Task("toolish")
window = t.do("rest")
t.tell(window, tool="summarize", text="the model is out of sorts")
task = t.end(1)
equal("nothing behind it", verdict(task), "interface/protocol/tool-error")
check(
    "nothing behind it: the subject names the tool",
    "summarize" in task["verdict"]["subject"],
    task["verdict"],
)

t = Task("arguments")
t.tell(t.do("rest"), tool="edit", code=-32602, text="Invalid arguments for tool edit")
equal("a code", verdict(t.end(1)), "interface/protocol/invalid-request")

# What was refused before the call began is not the call's.
t = Task("before")
t.do("write")
t.tell(t.do("rest"), tool="summarize", text="the model is out of sorts")
equal("refused before the call", verdict(t.end(1)), "interface/protocol/tool-error")

t = Task("well")
for _ in range(3):
    t.tell(t.do("rest"), ok=True, tool="read_file", path="/etc/hostname")
task = t.end(0)
equal("calls that went well", (verdict(task), task["failures"]), (None, []))
equal("… are counted", task["calls"], {"total": 3, "failed": 0, "faults": 0})

# By the command line, without times: since the call before it.
t = Task("command")
t.do("write")
told = (SANDFAULT, "task", "call", "command", "--campaign", "test", "--socket", d.socket)
text = "EROFS: read-only file system, open '%s/plan.md'" % SEALED
status, out, err = call(
    *told, "--tool", "write_file", "--failed", "--text", text, "--path", SEALED + "/plan.md"
)
equal("task call", (status, out, err), (0, "", ""))
equal("task call: the verdict", verdict(t.end(1)), "sandbox/read-only/mount")

# ---- what is kept ----

t = Task("kept")
window = t.do("rest")
t.tell(window, tool="get", path="a\0b", text="401 for Bearer sk-ant-0123456789abcdefghij\0!", id=7)
task = t.end(1)
equal("a NUL in a path", verdict(task), "interface/null-byte/argument")
equal("a NUL in a path: the subject", task["verdict"]["subject"], "a")
equal("a NUL in a path: counted", task["calls"], {"total": 1, "failed": 1, "faults": 1})
rows = json.loads(
    call(SANDFAULT, "task", "calls", "kept", "--campaign", "test", "--db", d.db, "--json")[1]
)
equal("kept: one call", len(rows), 1)
row = rows[0]
equal(
    "kept: who told, what",
    (row["source"], row["tool"], row["subject"], row["end"], row["rpc_id"], row["session"]),
    ("harness", "get", "a\\x00b", "tool-error", "7", None),
)
check("kept: the answer", row["text"].startswith("401 for "), row["text"])
check("kept: no secret", "0123456789abcdefghij" not in row["text"], row["text"])
with open(d.db, "rb") as f, open(d.db + "-wal", "rb") as wal:
    check("kept: no secret in the database", b"0123456789abcdefghij" not in f.read() + wal.read())
equal(
    "kept: the exact bytes", d.sql("SELECT subject FROM call WHERE tool = ?", b"get"), [(b"a\0b",)]
)

bare = Daemon("--no-payload", name="bare")
p = subprocess.Popen(["sleep", "60"])
bare.request("begin", task="t", pid=p.pid)
bare.request("call", task="t", tool="get", ok=False, text="a secret", path="/w/x", code=-32000)
p.kill()
p.wait()
bare.request("end", task="t")
equal(
    "kept of contents without payload",
    bare.sql("SELECT tool, subject, text, args, answer_len, code, end FROM call"),
    [(b"get", b"", None, None, 8, -32000, "tool-error")],
)
equal("a second daemon stops", bare.stop(), 0)

# ---- what is refused ----

t = Task("bounds")
now = time.time()
for name, fields in {
    "an end before the begin": {"ended": now - 3600},
    "a start after the end": {"started": now, "ended": now - 0.001},
    "a start to come": {"started": now + 3600},
}.items():
    reply = t.ask("call", ok=False, tool="x", **fields)
    equal(name, (reply["ok"], reply.get("error")), (False, "invalid"))
check("times around the task are cut to it", t.tell((now - 3600, now + 3600), tool="x")["ok"])
task = t.end(0)
equal("bounds: one call counted", task["calls"]["total"], 1)
start, end = d.sql(
    "SELECT c.started_ns - t.started_ns, t.ended_ns - c.ended_ns FROM call c JOIN task t"
    " ON t.id = c.task WHERE t.name = 'bounds'"
)[0]
check("bounds: within the task", 0 <= start < 10**6 and end >= 0, (start, end))
equal("a call of a task that ended", t.tell(tool="x").get("error"), "no-such-task")
equal(
    "a call of nobody",
    d.request("call", task="nobody", tool="x", ok=True).get("error"),
    "no-such-task",
)

# ---- the campaign's word ----


def differing():
    out = call(
        SANDFAULT, "task", "list", "--disagree", "--campaign", "test", "--db", d.db, "--json"
    )
    return sorted(t["task"] for t in json.loads(out[1] or "[]"))


t = Task("passed")
t.tell(t.do("write"), tool="write_file", path=SEALED + "/plan.md", text=text)
task = t.end(1, result="pass", why="the answer was right")
equal("the word is with the task", (task["result"], task["why"]), ("pass", "the answer was right"))
t = Task("failed")
equal("a task that ended well", t.end(0, result="fail", why="plan.md is empty")["result"], "fail")
t = Task("agreed")
t.end(0, result="pass")
equal("where the words differ", differing(), ["failed", "passed"])

# Judged again, long after the end.
task = d.request("end", campaign="test", task="agreed", result="fail")["task"]
equal("judged again", (task["result"], task["why"], task["state"]), ("fail", None, "final"))
out = call(
    SANDFAULT,
    "task",
    "end",
    "failed",
    "--campaign",
    "test",
    "--socket",
    d.socket,
    "--result",
    "pass",
)
equal("judged again by the command line", out[0], 0)
equal("where the words differ now", differing(), ["agreed", "passed"])
refused(
    "a word that is none",
    2,
    SANDFAULT,
    "task",
    "end",
    "x",
    "--result",
    "so-so",
    says="pass or fail",
)

equal("the daemon stops", d.stop(), 0)
finish()
