# SPDX-License-Identifier: GPL-2.0-only
"""
Runs a campaign of sandboxed tasks against a daemon of its own and prints what came out of it.

The programs of the tasks are in tasks/, how often each runs stands in catalogue.py, the faults that
are planted around some of them in faults.py. What was planted is written down for compare.py alone.
"""
import argparse
import concurrent.futures
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import catalogue
import faults
import sandbox
from daemon import Daemon

HERE = os.path.dirname(os.path.abspath(__file__))
CAMPAIGN = "demo"
KINDS = 18
SEED = 63  # any other does as well
WORKERS = 6


class Task:
    """One task of the campaign: a payload with its number, and perhaps a fault."""

    def __init__(self, payload, n):
        self.payload = payload
        self.n = n
        self.fault = None
        self.name = None  # given when the order is known


def plan(seed):
    """The tasks in their order, with the faults among them; the same for the same seed."""
    rng = random.Random(seed)
    tasks = [Task(p, n) for p in catalogue.PAYLOADS for n in range(p.count)]
    kinds = sorted({f.kind for f in faults.FAULTS})
    chosen = [rng.choice([f for f in faults.FAULTS if f.kind == kind])
              for kind in rng.sample(kinds, KINDS - 1)]
    burst = []
    for fault in chosen + faults.BURST:
        task = rng.choice([t for t in tasks if t.payload.program == fault.program and not t.fault])
        task.fault = fault
        if fault in faults.BURST:
            burst.append(task)
    rest = [t for t in tasks if t not in burst]
    rng.shuffle(rest)
    at = len(rest) * 3 // 5  # late enough that the alert has a baseline to compare with
    order = rest[:at] + burst + rest[at:]
    for i, task in enumerate(order, 1):
        task.name = "t-%03d" % i
    return order


def write_planted(tasks, path):
    planted = {}
    for t in tasks:
        if t.fault:
            level, primitive, cause = t.fault.kind.split("/")
            planted[t.name] = {"level": level, "primitive": primitive, "cause": cause,
                               "subject": t.fault.subject}
    with open(path, "w") as f:
        json.dump({"tasks": [t.name for t in tasks], "planted": planted}, f, indent=1)


class Campaign:
    """Runs tasks in their sandboxes, several at once."""

    def __init__(self, directory, daemon):
        self.directory = directory
        self.daemon = daemon
        self.platform = os.path.join(directory, "platform")
        self.cgroups = sandbox.Cgroups(os.path.basename(directory))
        self.lock = threading.Lock()
        self.stopping = False
        self.results = {}

    def prepare(self):
        sandbox.prepare_platform(HERE, self.platform)
        subprocess.run(["gcc", "-O2", "-Wall", "-o", os.path.join(self.platform, "bin", "confine"),
                        os.path.join(HERE, "confine.c")], check=True)
        os.mkdir(os.path.join(self.directory, "workspaces"), 0o755)
        os.mkdir(os.path.join(self.directory, "output"))

    def box(self, task):
        workspace = os.path.join(self.directory, "workspaces", task.name)
        os.mkdir(workspace, 0o755)
        box = sandbox.Box(workspace, task.payload.files(task.n), task.payload.command(task.n),
                          list(task.payload.capabilities))
        if task.fault:
            task.fault.plant(box)
        box.fill()
        return box

    def launch(self, task, box, cgroups):
        """Starts the sandbox and waits for its end, no longer than allowed; Popen's status."""
        fds = []
        if box.seccomp:
            fds.append(os.memfd_create("filter", 0))
            os.write(fds[0], box.seccomp)
            os.lseek(fds[0], 0, os.SEEK_SET)
        try:
            with open(os.path.join(self.directory, "output", task.name), "wb") as out:
                process = subprocess.Popen(
                    box.argv(self.platform, cgroups, fds[0] if fds else None), pass_fds=fds,
                    stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd="/",
                    start_new_session=True)
        finally:
            for fd in fds:
                os.close(fd)
        try:
            return process.wait(box.deadline)
        except subprocess.TimeoutExpired:
            self.cgroups.kill(cgroups[0])
            return process.wait()

    def run_task(self, task):
        if self.stopping:
            return
        box = self.box(task)
        cgroups = self.cgroups.make(task.name, box.limits)
        labels = {"app": task.payload.app, "domain": task.payload.domain,
                  "program": os.path.basename(task.payload.program)}
        self.daemon.begin(CAMPAIGN, task.name, labels, "/%s/%s" % (self.cgroups.name, task.name))
        status = self.launch(task, box, cgroups)
        self.daemon.end(CAMPAIGN, task.name, status)
        self.cgroups.remove(cgroups)
        shutil.rmtree(box.workspace)
        self.done(task, status)

    def done(self, task, status):
        with self.lock:
            self.results[task.name] = status
            n = len(self.results)
            if n % 25 == 0:
                ok = sum(s == 0 for s in self.results.values())
                print("  %3d tasks done, %d ok, %d not" % (n, ok, n - ok), flush=True)

    def run(self, tasks):
        with concurrent.futures.ThreadPoolExecutor(max_workers=WORKERS) as pool:
            futures = [pool.submit(self.run_task, t) for t in tasks]
            try:
                for future in concurrent.futures.as_completed(futures):
                    future.result()
            except BaseException:
                self.stopping = True
                self.close()  # ends what runs, so that the pool can leave
                raise

    def close(self):
        self.cgroups.close()


def explained(daemon):
    """The task to explain: of those with a verdict on the sandbox, the one with most to tell."""
    _, out = daemon.ask("export", "--campaign", CAMPAIGN)
    tasks = [t for t in map(json.loads, out.splitlines())
             if t["verdict"] and t["verdict"]["level"] == "sandbox"]
    if not tasks:
        return None

    def evidence(task):
        return max(len(f["evidence"]) for f in task["failures"]
                   if f["id"] == task["verdict"]["failure"])
    return max(tasks, key=lambda t: (evidence(t), t["task"]))["task"]


def report(daemon):
    """Prints what a team would look at. False: no alert has fired."""
    sections = [("What made tasks fail", ["taxonomy"]),
                ("By application", ["taxonomy", "--by", "label.app,primitive"])]
    task = explained(daemon)
    if task:
        sections.append(("One task, explained", ["explain", task]))
    for title, args in sections:
        print("\n== %s: sandfault %s\n" % (title, " ".join(args)))
        print(daemon.ask(*args, "--campaign", CAMPAIGN, check=False)[1], end="")
    lines = daemon.wait_alert()
    print("\n== The alert that fired: what the alert command was given, and sandfault alerts\n")
    print("\n".join(lines) or "none")
    print()
    print(daemon.ask("alerts", check=False)[1], end="")
    print(flush=True)
    return bool(lines)


def run(args, directory, stack):
    """The whole of it; the exit status."""
    daemon = Daemon(args.build, os.path.join(directory, "daemon"))
    stack.callback(daemon.stop)
    daemon.start()
    campaign = Campaign(directory, daemon)
    stack.callback(campaign.close)
    campaign.prepare()
    tasks = plan(args.seed)
    planted = os.path.join(directory, "planted.json")
    write_planted(tasks, planted)
    print("== %d tasks of %d domains, %d at a time"
          % (len(tasks), len({t.payload.domain for t in tasks}), WORKERS), flush=True)
    start = time.monotonic()
    campaign.run(tasks)
    daemon.settle(CAMPAIGN)
    print("== All tasks have their verdicts after %.0f s" % (time.monotonic() - start), flush=True)
    alerted = report(daemon)
    compared = subprocess.run([sys.executable, os.path.join(HERE, "compare.py"), planted,
                               os.path.join(args.build, "sandfault"), daemon.db, CAMPAIGN],
                              check=False).returncode
    stopped = daemon.stop()
    if stopped != 0:
        print("demo: the daemon ended with status %s:\n%s" % (stopped, daemon.log()),
              file=sys.stderr)
    return 0 if compared == 0 and stopped == 0 and alerted else 1


def keep(directory, target):
    """Leaves the database, the logs, the alerts and the tasks' output in `target`."""
    os.makedirs(target, exist_ok=True)
    for name in ("daemon", "output", "planted.json"):
        source = os.path.join(directory, name)
        if os.path.isdir(source):
            shutil.copytree(source, os.path.join(target, name), dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns("*.sock"))
        elif os.path.exists(source):
            shutil.copy(source, target)


def interrupted(number, frame):
    raise SystemExit(128 + number)


def main():
    parser = argparse.ArgumentParser(description="Runs a campaign of sandboxed tasks.")
    parser.add_argument("--build", default=os.path.join(HERE, "..", "build"),
                        help="where sandfault and sandfaultd are")
    parser.add_argument("--keep", metavar="DIR", help="leave the database and the logs there")
    parser.add_argument("--seed", type=int, default=SEED, help="another seed plants other faults")
    args = parser.parse_args()
    args.build = os.path.abspath(args.build)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    directory = tempfile.mkdtemp(prefix="sandfault-demo-")
    os.chmod(directory, 0o755)  # some sandboxes run as another user
    try:
        with contextlib.ExitStack() as stack:
            return run(args, directory, stack)
    except (RuntimeError, OSError, subprocess.SubprocessError) as e:
        print("demo: %s" % e, file=sys.stderr)
        return 1
    finally:
        if args.keep:
            keep(directory, args.keep)
        shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
