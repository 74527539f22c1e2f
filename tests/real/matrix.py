# SPDX-License-Identifier: GPL-2.0-only
"""matrix.py [-k] [-r REFUSAL]… SANDBOX…: runs the table's refusals in these sandboxes, each as a
task, and compares verdicts.

Called by scripts/test-real, which installs the sandboxes and gives it its own mount namespace.
"""
import argparse
import os
import re
import signal
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from sandboxes import KINDS, Place
from table import REFUSALS
from tasks import NoVerdict

HEALTHY = "nothing refused"
JOBS = 2

os.environ["PATH"] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Run:
    """One task: a refusal, or none, in a sandbox."""

    def __init__(self, place, sandbox, tasks, refusal, cell):
        self.place, self.sandbox, self.tasks = place, sandbox, tasks
        self.refusal, self.cell = refusal, cell
        self.task = "%s-%s" % (sandbox.name, re.sub("[^a-z_]+", "-", refusal))
        self.complaint = self.said = None

    def go(self):
        way, options = self.sandbox.healthy(), {}
        if self.cell:
            way, options = self.place.fill(self.cell.way), self.cell.options
        with self.sandbox.turn, open(self.place.path(self.task + ".err"), "w+b") as err:
            try:
                command = self.sandbox.command(self.task, way, options)
                self.complaint = self.judge(self.tasks.run(self.task, command, err))
            except NoVerdict as e:
                self.complaint = str(e)
            err.seek(0)
            self.said = err.read().decode(errors="replace").strip()
        return self

    def judge(self, record):
        """None, or what is wrong with it."""
        if record["state"] != "final":
            return "the state is " + record["state"]
        if not self.cell:
            return self.judge_healthy(record)
        verdict = record["verdict"]
        if not verdict:
            return "nothing, outcome " + record["outcome"]
        got = "%s/%s" % (verdict["primitive"], verdict["cause"])
        if verdict["level"] != "sandbox":
            got = "%s/%s" % (verdict["level"], got)
        subject = self.cell.subject.format(**self.place.words)
        who = next((f["comm"] for f in record["failures"] if f["id"] == verdict["failure"]), None)
        if (
            got != self.cell.kind
            or subject not in (verdict["subject"] or "")
            or verdict["disposition"] != "fatal"
            or who != self.comm
        ):
            return "%s %s, %s, by %s" % (got, verdict["subject"], verdict["disposition"], who)
        wanted = self.sandbox.outcome(self.cell)
        if record["outcome"] != wanted:
            return "outcome " + record["outcome"]
        others = [f for f in record["failures"] if f["comm"] != self.comm]
        return "beside it %s" % self.listed(others) if others else None

    @staticmethod
    def listed(failures):
        text = "%(level)s/%(primitive)s/%(cause)s %(subject)s, %(disposition)s, by %(comm)s"
        return "; ".join(text % f for f in failures)

    @staticmethod
    def judge_healthy(record):
        """Silent, and yet seen: launchers and payload make calls that fail."""
        if record["verdict"] or record["failures"]:
            return Run.listed(record["failures"]) or record["verdict"]["summary"]
        if record["outcome"] != "ok":
            return "outcome " + record["outcome"]
        return None if record["noise"] + record["handled"] else "no failing call on record"

    @property
    def comm(self):
        """Whose refusal it is: never the launcher's."""
        return self.cell.way.split()[0] if self.cell.options.get("tool") else "payload"

    @property
    def wanted(self):
        if not self.cell:
            return "nothing"
        return "%s %s" % (self.cell.kind, self.cell.subject.format(**self.place.words))

    def short(self):
        """What stands in its cell."""
        if not self.complaint:
            return self.cell.kind if self.cell else "ok"
        return "WRONG: got " + self.complaint.replace(self.place.base, "…").partition(";")[0]

    def report(self):
        name = "%s: %s" % (self.sandbox.name, self.refusal)
        if not self.complaint:
            print("ok %s" % name, flush=True)
            return
        print("not ok %s: expected %s, got %s" % (name, self.wanted, self.complaint), flush=True)
        for line in [*self.said.splitlines()[-3:], *self.tasks.explain(self.task)]:
            print("    " + line, flush=True)


def print_table(rows, notes):
    """For people, in Markdown."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in [rows[0], ["-" * n for n in widths], *rows[1:]]:
        print("| %s |" % " | ".join(word.ljust(n) for word, n in zip(row, widths)))
    print()
    for number, note in enumerate(notes, 1):
        print("(%d) %s" % (number, note))


def matrix(names, runs):
    """What came of the runs; without any, what must come."""
    cells = {(run.refusal, run.sandbox.name): run for run in runs}
    reasons = []

    def text(refusal, name):
        run = cells.get((refusal, name))
        if run:
            return run.short()
        cell = REFUSALS[refusal][KINDS[name].column] if refusal in REFUSALS else None
        if not isinstance(cell, str):
            return cell.kind if cell else "ok"
        if cell not in reasons:
            reasons.append(cell)
        return "– (%d)" % (reasons.index(cell) + 1)

    rows = [["", *names]]
    for refusal in [HEALTHY, *REFUSALS]:
        if not runs or any(run.refusal == refusal for run in runs):
            rows.append([refusal, *(text(refusal, name) for name in names)])
    print_table(rows, reasons)


def clean(place, sandboxes, tasks, keep):
    for sandbox in sandboxes:
        sandbox.clean()
    for each in tasks.values():
        each.stop()
    if keep:
        print("kept: " + place.base)
    else:
        place.remove()


def carry_out(runs):
    with ThreadPoolExecutor(JOBS) as pool:
        try:
            for run in pool.map(Run.go, runs):
                run.report()
        except BaseException:  # a signal's too: what has not begun never will
            pool.shutdown(cancel_futures=True)
            raise


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-k", action="store_true", dest="keep")
    parser.add_argument("-r", action="append", dest="refusals", choices=[HEALTHY, *REFUSALS])
    parser.add_argument("--missing", action="append", default=[], metavar="SANDBOX: REASON")
    parser.add_argument("--by-name", action="store_true", help="what is missing was asked for")
    parser.add_argument("sandboxes", nargs="*")
    parser.add_argument("-t", action="store_true", dest="table", help="what must come, no run")
    args = parser.parse_intermixed_args()
    if args.table:
        return matrix([kind.name for kind in KINDS.values() if kind.column == kind.name], [])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    place = Place(tempfile.mkdtemp(prefix="sandfault-real-", dir="/var/tmp"))
    sandboxes, tasks, runs = [], {}, []
    try:
        for name in args.sandboxes:
            sandbox = KINDS[name](place)
            sandboxes.append(sandbox)
            if sandbox.tasks not in tasks:
                tasks[sandbox.tasks] = sandbox.tasks(place)
            cells = [(HEALTHY, None), *((r, REFUSALS[r][sandbox.column]) for r in REFUSALS)]
            runs += [
                Run(place, sandbox, tasks[sandbox.tasks], refusal, cell)
                for refusal, cell in cells
                if not isinstance(cell, str) and refusal in (args.refusals or [refusal])
            ]
        carry_out(runs)
        print()
        matrix(args.sandboxes, runs)
    finally:
        clean(place, sandboxes, tasks, args.keep)
    for reason in args.missing:
        print("skipped %s" % reason)
    wrong = sum(bool(run.complaint) for run in runs)
    print("%d passed, %d failed" % (len(runs) - wrong, wrong))
    return 1 if wrong or not runs or (args.missing and args.by_name) else 0


if __name__ == "__main__":
    sys.exit(main())
