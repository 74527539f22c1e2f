#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""64 sessions with tool servers at once, 10,240 calls in five tasks: each is on record, once."""
import json
import os

from lib import PYTHON, TOP, Daemon, check, equal, finish, wait_for

AGENT = os.path.join(TOP, "tests", "kernel", "channel", "agent.py")
CALLS = 160  # of one session
TASKS = {"wide": 32, "a": 8, "b": 8, "c": 8, "d": 8}  # sessions of each
LARGE = 40000  # as agent.py has it

d = Daemon()


def ended(task, process):
    out, err = process.communicate(timeout=120)
    if not equal(task + ": the client got its answers", process.returncode, 0):
        print(err.decode(errors="replace")[-500:])
    return json.loads(out)


def rows(task, what, where="1"):
    """Of the tools/call of one task."""
    query = (
        "SELECT %s FROM call JOIN task ON task.id = call.task "
        "WHERE task.name = ? AND method = 'tools/call' AND %s"
    )
    return d.sql(query % (what, where), task)[0][0]


def accounted(task, said):
    """What the client counted is what stands in the database."""
    calls = TASKS[task] * CALLS
    equal(task + ": calls that the client made", said["ok"] + said["failed"], calls)
    equal(task + ": on record", rows(task, "count(*)"), calls)
    equal(task + ": answered well", rows(task, "count(*)", "end = 'ok'"), said["ok"])
    equal(task + ": refused", rows(task, "count(*)", "end = 'tool-error'"), said["failed"])
    equal(task + ": sessions", rows(task, "count(DISTINCT session)"), TASKS[task])
    equal(task + ": once each", rows(task, "count(DISTINCT session || ' ' || rpc_id)"), calls)
    large = rows(task, "count(*)", "answer_len > %d" % LARGE)
    equal(task + ": large answers", large, TASKS[task] * len(range(49, CALLS, 50)))
    equal(task + ": whole", rows(task, "sum(cut)"), 0)
    total = d.result(task)["calls"]
    equal(task + ": its JSON counts the refused", total["failed"], said["failed"])
    check(task + ": … and all", total["total"] >= calls, total)


def told_in_order(task):
    """The times of a session's calls go up: none was put into another's place."""
    swapped = d.sql(
        "SELECT count(*) FROM call a JOIN call b ON a.task = b.task AND a.session = b.session "
        "AND CAST(b.rpc_id AS INTEGER) = CAST(a.rpc_id AS INTEGER) + 1 JOIN task ON task.id = a.task "
        "WHERE task.name = ? AND b.started_ns < a.ended_ns",
        task,
    )[0][0]
    equal(task + ": each call after the one before", swapped, 0)


running = {
    task: d.start_run(PYTHON, "-S", AGENT, str(n), str(CALLS), task=task)
    for task, n in TASKS.items()
}
counted = {task: ended(task, process) for task, process in running.items()}
want = sum(TASKS.values()) * CALLS
wait_for(lambda: d.sql("SELECT count(*) FROM call WHERE method = 'tools/call'")[0][0] >= want, 20)
for name in TASKS:
    accounted(name, counted[name])
told_in_order("wide")

counters = d.request("status")["counters"]
check("each message was an operation", counters["channel"] >= 2 * want, counters["channel"])
lost = {k: v for k, v in counters.items() if v and (k.startswith("lost") or k == "queue_dropped")}
equal("nothing was lost", lost, {})
finish()
