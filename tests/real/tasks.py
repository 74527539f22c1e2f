# SPDX-License-Identifier: GPL-2.0-only
"""How a sandbox's run becomes a task: by `sandfault run`, or by a daemon that knows it by the path
of its cgroup."""
import glob
import json
import os
import signal
import sqlite3
import subprocess
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("SANDFAULT_BUILD", os.path.join(TOP, "build"))
SANDFAULT = os.path.join(BUILD, "sandfault")
LIMIT = 60  # seconds a task; the slowest takes 4

for variable in ("SANDFAULT_DB", "SANDFAULT_SOCKET"):
    os.environ.pop(variable, None)


class NoVerdict(Exception):
    pass


def wait_for(condition, seconds):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


def execute(command, err, place):
    """Runs it to its end; what it says goes to `err`, what it may leave behind to its directory."""
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err, cwd=place.base
    )
    try:
        process.wait(LIMIT)
    except subprocess.TimeoutExpired:
        process.terminate()
        raise NoVerdict("no end within %d s" % LIMIT) from None


class Tasks:
    """All tasks of a way share one database, and so one private daemon."""

    def __init__(self, place):
        self.place = place
        self.db = place.path("db")

    def run(self, task, command, err):
        """The task's final record."""
        out = self.place.path(task + ".json")
        head = [SANDFAULT, "run", "--quiet", "--db", self.db, "--task", task, "-o", out]
        execute([*head, "--", *command], err, self.place)
        try:
            with open(out) as f:
                return json.load(f)
        except (OSError, ValueError) as e:
            raise NoVerdict("no record: %s" % e) from None

    def explain(self, task):
        command = [SANDFAULT, "explain", "--db", self.db, task]
        p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return p.stdout.decode(errors="replace").splitlines()

    def stop(self):
        """The daemon would stay for 5 seconds more, what runtimes made in v1 hierarchies for ever."""
        pid = self.daemon()
        if not pid:
            return
        os.kill(pid, signal.SIGTERM)
        wait_for(lambda: not os.path.exists("/proc/%d" % pid), 10)
        remove_cgroups("sandfault/%d-*" % pid)
        remove_cgroups("sandfault", whole=False)

    def daemon(self):
        try:
            with sqlite3.connect("file:%s?mode=ro" % self.db, uri=True) as db:
                (pid,) = db.execute("SELECT pid FROM daemon").fetchone()
            exe = os.readlink("/proc/%d/exe" % pid)
        except (sqlite3.Error, OSError, TypeError):
            return None
        return pid if os.path.basename(exe) == "sandfaultd" else None


class TasksByPath(Tasks):
    """A daemon with a template: the task is the container alone, without the program that made it."""

    def __init__(self, place):
        super().__init__(place)
        self.db = place.path("template.db")
        self.root = os.path.basename(place.base)
        config = place.path("sandfault.conf")
        with open(config, "w") as f:
            f.write("template = /%s/{task}\n" % self.root)
        ready, wr = os.pipe()
        with open(place.path("log"), "wb") as log:
            self.process = subprocess.Popen(
                [
                    *(os.path.join(BUILD, "sandfaultd"), "--config", config, "--db", self.db),
                    *("--socket", place.path("socket"), "--group", "-", "--ready-fd", str(wr)),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=[wr],
            )
        os.close(wr)
        with open(ready, "rb") as f:
            if f.readline() != b"ready\n":
                raise RuntimeError("the daemon does not start: see " + place.path("log"))

    def run(self, task, command, err):
        execute(command, err, self.place)
        show = [SANDFAULT, "task", "show", "--json", "--db", self.db, task]
        record = {}

        def final():
            p = subprocess.run(show, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            if p.returncode == 0:
                record.update(json.loads(p.stdout))
            return record.get("state") == "final"

        if not wait_for(final, 15):
            raise NoVerdict("the task's state is %s" % record.get("state"))
        return record

    def stop(self):
        self.process.terminate()
        self.process.wait(10)
        remove_cgroups(self.root)


def remove_cgroups(pattern, whole=True):
    """Those of that name in every hierarchy; not `whole`: where nobody else has anything in it."""
    for path in glob.glob("/sys/fs/cgroup/*/" + pattern) + glob.glob("/sys/fs/cgroup/" + pattern):
        for directory, _, _ in os.walk(path, topdown=False) if whole else [(path, [], [])]:
            try:
                os.rmdir(directory)
            except OSError:
                pass  # another daemon's
