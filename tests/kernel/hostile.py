#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Hostile bytes in paths, names, arguments: exact in the database, valid JSON, harmless text."""
import json
import os
import subprocess

from lib import (
    PYTHON,
    SANDFAULT,
    WORK,
    Daemon,
    check,
    equal,
    finish,
    judged,
    program,
    skip,
    subject,
)

d = Daemon()
act = program("act", None, "-pthread")
closed = os.path.join(WORK, "closed").encode()
os.mkdir(closed)
names = {
    "newline": b"one\ntwo\r\n\tthree",
    "escape": b"\x1b[2J\x1b]0;owned\x07",
    "no-utf8": b"\xff\xfe\xc3(\xed\xa0\x80",
    "quotes": b'\'; DROP TABLE task; --"\\"',
    "json": b'","verdict":null,"x":"',
    "unicode": "søppel‮gpj.exe".encode(),
    "long": b"\x01" * 255,
    "percent": b"%s%n%d",
}
script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" || exit 77; exec "$@"'


def shown(*verb):
    """What the command line prints: text, and JSON by jq."""
    text = subprocess.run(
        [SANDFAULT, *verb, "--db", d.db, "--socket", d.socket],
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    ).stdout
    raw = subprocess.run(
        [SANDFAULT, *verb, "--db", d.db, "--socket", d.socket, "--json"],
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    ).stdout
    jq = subprocess.run(
        ["jq", "-e", "."], input=raw, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    bad = [b for b in text if (b < 32 and b != 10) or b == 127]
    try:
        text.decode()
        raw.decode()
    except UnicodeDecodeError as e:
        bad.append(str(e))
    return not bad and jq.returncode == 0, "%r %s" % (text[:400], jq.stderr.decode())


for name, data in names.items():
    path = closed + b"/" + data
    status, task, _ = d.run(
        "unshare", "-m", "/bin/sh", "-c", script, closed, act, "create", path, task=name
    )
    if status == 77:
        skip(name, "no mount namespace")
        continue
    judged(name, task, "sandbox/read-only/mount", None, "failed")
    equal(
        name + ": exact in the database",
        [
            bytes(s)
            for s, in d.sql(
                "SELECT subject FROM failure JOIN task ON task.id = failure.task "
                "WHERE name = ? AND primitive = 'read-only'",
                name,
            )
        ],
        [path],
    )
    check(
        name + ": one printable line in JSON",
        task and subject(task).isprintable() or name == "unicode",
        repr(subject(task)),
    )
    check(name + ": task show", *shown("task", "show", name))
    check(name + ": explain", *shown("explain", name))
check("failures", *shown("failures"))
check("task list", *shown("task", "list"))

# The name of a process, and its program's.
odd = os.path.join(WORK.encode(), b"prog\n\x1b[31m\xff")
os.symlink(act, odd)
status, task, _ = d.run(
    "unshare", "-m", "/bin/sh", "-c", script, closed, odd, "comm", closed + b"/f", task="comm"
)
if status != 77:
    judged("comm", task, "sandbox/read-only/mount", "/f", "failed")
    equal(
        "comm: exact in the database",
        [
            bytes(c)
            for c, in d.sql(
                "SELECT comm FROM failure JOIN task ON task.id = failure.task WHERE name = 'comm'"
            )
        ],
        [b'\x1b[31mA\n"\\\xff'],
    )
    check("comm: task show", *shown("task", "show", "comm"))

# Labels, campaigns and task names come from a harness: kept as they are where they are text.
label = 'a "quoted"\n\x1b[1mvalue\\'
status, task, _ = d.run(
    "/bin/sh", "-c", "exit 1", task="labels", options=("--label", "key=" + label)
)
equal("label: kept", task and list(task["labels"]), ["key"])
check("label: task show", *shown("task", "show", "labels"))
reply = d.request(
    "begin", campaign="c\n\x1b[1m", task='t\n"\\\x01', pid=os.getpid(), scope="process"
)
if reply.get("ok"):
    reply = d.request("end", campaign="c\n\x1b[1m", task='t\n"\\\x01', outcome="ok")
    check("a task's name: task list", *shown("task", "list"))
else:
    check(
        "a task's name: refused as invalid",
        reply.get("error") in ("invalid", "too-long"),
        repr(reply),
    )
equal("the daemon lives", d.request("status").get("ok"), True)

# Arguments and environment.
code = "import os; os.execv('/no/such\\n\\x1b[31m', ['x' * 500, '\\udcff' * 500])"
status, task, _ = d.run(PYTHON, "-c", code, task="argv")
equal("argv: status", status, 1)
check("argv: task show", *shown("task", "show", "argv"))
equal("JSON of run -o is JSON", bool(task and json.dumps(task)), True)
finish()
