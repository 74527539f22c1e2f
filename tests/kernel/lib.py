# SPDX-License-Identifier: GPL-2.0-only
"""What the end-to-end tests share: a daemon, its socket and database, cgroups, and a report."""
import atexit
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("SANDFAULT_BUILD", os.path.join(TOP, "build"))
SANDFAULT = os.path.join(BUILD, "sandfault")
SANDFAULTD = os.path.join(BUILD, "sandfaultd")
PYTHON = "/usr/bin/python3"
NOBODY = 48217  # a user of no meaning

os.environ["PATH"] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
for name in ("SANDFAULT_DB", "SANDFAULT_SOCKET"):
    os.environ.pop(name, None)

WORK = tempfile.mkdtemp(prefix="sandfault-test-")
os.chmod(WORK, 0o755)
_results = {"ok": 0, "not ok": 0, "skip": 0}
_cgroups = []
_daemons = []


def check(name, good, detail=""):
    """Reports one check; `detail` (shown on failure) says what was expected and what came."""
    _results["ok" if good else "not ok"] += 1
    print(("ok %s" % name) if good else "not ok %s: %s" % (name, detail), flush=True)
    return good


def equal(name, got, want):
    return check(name, got == want, "expected %r, got %r" % (want, got))


def skip(name, why):
    _results["skip"] += 1
    print("skip %s: %s" % (name, why), flush=True)


def finish():
    """The closing line and the exit status; a script that checked nothing failed."""
    _results["finished"] = True
    print("%d passed, %d failed" % (_results["ok"], _results["not ok"]), flush=True)
    sys.exit(1 if _results["not ok"] or not _results["ok"] else 0)


def no_report():
    """For a script that checks nothing: its end says nothing."""
    _results["finished"] = True


def _clean():
    if "finished" not in _results:  # an exception, which Python tells of
        check("the script", False, "expected its end, got none")
        print("%d passed, %d failed" % (_results["ok"], _results["not ok"]), flush=True)
    for d in _daemons:
        d.kill()
    for path in sorted(_cgroups, reverse=True):
        remove_cgroup(path)
    shutil.rmtree(WORK, ignore_errors=True)


atexit.register(_clean)


def wait_for(condition, seconds=10):
    """Polls until condition() is true; its last value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value or time.monotonic() > end:
            return value
        time.sleep(0.02)


def program(source, name=None, *flags):
    """Compiles tests/kernel/SOURCE.c if need be; a copy that every user can run, None where it
    can't: the clone may lie below a closed directory, as /root is."""
    out = os.path.join(BUILD, "kernel", name or source)
    src = os.path.join(TOP, "tests", "kernel", source + ".c")
    os.makedirs(os.path.dirname(out), exist_ok=True)
    if not os.path.exists(out) or os.path.getmtime(out) < os.path.getmtime(src):
        if subprocess.run(
            [
                "gcc",
                "-std=gnu11",
                "-O2",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-D_GNU_SOURCE",
                "-o",
                out,
                src,
                *flags,
            ]
        ).returncode:
            return None
    copy = os.path.join(WORK, os.path.basename(out))
    if not os.path.exists(copy):
        shutil.copy(out, copy)
        os.chmod(copy, 0o755)
    return copy


def call(*command):
    p = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=60,
    )
    return p.returncode, p.stdout.decode(errors="replace"), p.stderr.decode(errors="replace")


def refused(name, status, *command, says=None):
    """The status, and one clear line on stderr."""
    got, _, err = call(*command)
    good = got == status and err.strip() and (says is None or says in err)
    check(
        name,
        good,
        "expected status %d and %s on stderr, got %d and %r"
        % (status, says or "a reason", got, err[-300:]),
    )


# ---- cgroups ----


def _mounts(kind):
    with open("/proc/self/mounts") as f:
        return [line.split() for line in f if line.split()[2] == kind]


V2 = next((m[1] for m in _mounts("cgroup2")), None)


def v1_mount(controller):
    """Where a v1 controller is mounted, or None (then v2 has it)."""
    return next((m[1] for m in _mounts("cgroup") if controller in m[3].split(",")), None)


def make_cgroup(name, mount=None):
    """Makes a cgroup (and its parents) below the mount; its directory. It goes with the test."""
    path = mount or V2
    for part in name.strip("/").split("/"):
        path = os.path.join(path, part)
        if not os.path.isdir(path):
            os.mkdir(path)
            _cgroups.append(path)
    return path


def remove_cgroup(path):
    """Kills what is in it and removes it; False if it would not go."""

    def gone():
        try:
            with open(path + "/cgroup.procs") as f:
                for pid in f.read().split():
                    os.kill(int(pid), signal.SIGKILL)
            os.rmdir(path)
            return True
        except FileNotFoundError:
            return True
        except (OSError, ProcessLookupError):
            return False

    return wait_for(gone, 5)


def inside(*directories):
    """A preexec_fn that enters cgroups."""

    def enter():
        for d in directories:
            with open(d + "/cgroup.procs", "w") as f:
                f.write("0")

    return enter


def fail_in(directory, n):
    """Fails n opens inside a cgroup."""
    storm = program("storm", None, "-static", "-pthread")
    out = subprocess.run([storm, str(n), "1"], preexec_fn=inside(directory), stdout=subprocess.PIPE)
    if int(out.stdout) != n:
        sys.exit("storm: %r" % out.stdout)


def cgroup_name(directory):
    """As the socket takes it: the path from the v2 root."""
    return directory[len(V2) :]


# ---- the daemon and its command line ----


class Daemon:
    """A sandfaultd with a database and a socket of its own."""

    def __init__(self, *options, name="d", config=None, db=None, prefix=()):
        self.dir = os.path.join(WORK, name)
        os.makedirs(self.dir, exist_ok=True)
        self.db = db or os.path.join(self.dir, "sandfault.db")
        self.socket = os.path.join(self.dir, "control.sock")
        self.log = os.path.join(self.dir, "log")
        self.config = os.path.join(self.dir, "sandfault.conf")
        with open(self.config, "w") as f:
            f.write(config or "")
        self.options = options
        self.prefix = list(prefix)
        self.process = None
        _daemons.append(self)
        self.start()

    def start(self, expect=True):
        """Starts it and waits until it says that it is ready; True if it did."""
        ready, wr = os.pipe()
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [
                    *self.prefix,
                    SANDFAULTD,
                    "--config",
                    self.config,
                    "--db",
                    self.db,
                    "--socket",
                    self.socket,
                    "--group",
                    "-",
                    "--ready-fd",
                    str(wr),
                    *self.options,
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=[wr],
            )
        os.close(wr)
        with open(ready, "rb") as f:
            good = f.readline() == b"ready\n"
        if expect and not good:
            print("daemon does not start: " + self.logged()[-2000:], flush=True)
        return good

    @property
    def pid(self):
        return self.process.pid

    def logged(self):
        with open(self.log, errors="replace") as f:
            return f.read()

    def alive(self):
        return self.process.poll() is None

    def stop(self, seconds=10):
        """SIGTERM; its exit status, or None."""
        self.process.terminate()
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def kill(self):
        if self.process and self.alive():
            self.process.kill()
        if self.process:
            self.process.wait()

    def client(self):
        return Client(self.socket)

    def request(self, op, **fields):
        """One request on a connection of its own."""
        with self.client() as c:
            return c.request(op, **fields)

    def start_run(self, *command, task, options=(), **popen):
        """Starts `sandfault run` on this daemon."""
        out = self._out(task)
        if os.path.exists(out):
            os.unlink(out)
        return subprocess.Popen(
            [
                SANDFAULT,
                "run",
                "--socket",
                self.socket,
                "--task",
                task,
                "--campaign",
                "test",
                "--quiet",
                "-o",
                out,
                *options,
                "--",
                *command,
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **popen
        )

    def _out(self, task):
        return os.path.join(self.dir, "run-%s.json" % task)

    def result(self, task):
        """What such a run left behind: the final JSON, or None."""
        return load(self._out(task))

    def run(self, *command, task, timeout=60, **more):
        """`sandfault run`, to its end: (exit status, final JSON or None, stdout)."""
        p = self.start_run(*command, task=task, **more)
        try:
            out, err = p.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            p.kill()
            out, err = p.communicate()
        self.last_err = err.decode(errors="replace")
        return p.returncode, self.result(task), out

    def sql(self, query, *args):
        return sql(self.db, query, *args)

    def tally(self, task, where="1"):
        """Failing calls of a task on record."""
        return self.sql(
            "SELECT coalesce(sum(count), 0) FROM tally JOIN task ON task.id = tally.task "
            "WHERE task.name = ? AND " + where,
            task,
        )[0][0]

    def opens(self, task):
        """Opens that failed for want of a file."""
        return self.tally(task, "syscall = 'openat' AND errno = 2")

    def task(self, name, campaign="test", attempt=None):
        """A task by the command line, handled failures too."""
        ref = name if attempt is None else "%s#%d" % (name, attempt)
        p = subprocess.run(
            [
                SANDFAULT,
                "task",
                "show",
                "--db",
                self.db,
                "--campaign",
                campaign,
                "--all",
                "--json",
                ref,
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        return json.loads(p.stdout) if p.returncode == 0 else None


def sql(db, query, *args):
    con = sqlite3.connect("file:%s?mode=ro" % db, uri=True, timeout=10)
    try:
        return con.execute(query, args).fetchall()
    finally:
        con.close()


def load(path):
    try:
        with open(path) as f:
            return json.load(f)
    except (OSError, ValueError):
        return None


class Client:
    """A connection to the control socket: one JSON object a line, both ways."""

    def __init__(self, path, timeout=30):
        self.s = socket.socket(socket.AF_UNIX)
        self.s.settimeout(timeout)
        self.s.connect(path)
        self.f = self.s.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.close()

    def close(self):
        self.f.close()
        self.s.close()

    def send(self, op, **fields):
        self.s.sendall(json.dumps({"op": op, **fields}).encode() + b"\n")

    def read(self):
        line = self.f.readline()
        return json.loads(line) if line else None

    def request(self, op, **fields):
        self.send(op, **fields)
        return self.read() or {"ok": False, "error": "closed"}


def verdict(task):
    """level/primitive/cause of a task's JSON, or None."""
    v = task and task["verdict"]
    return "%s/%s/%s" % (v["level"], v["primitive"], v["cause"]) if v else None


def subject(task):
    v = task and task["verdict"]
    return v["subject"] if v else None


def judged(name, task, want, about=None, outcome=None):
    """One check: the verdict, its subject (contained) and the outcome."""
    good = task is not None and task["state"] == "final" and verdict(task) == want
    good = good and (about is None or about in subject(task)) and outcome in (None, task["outcome"])
    return check(
        name,
        good,
        "expected %s %s, outcome %s, got %s %s, outcome %s"
        % (
            want,
            about or "",
            outcome or "any",
            verdict(task),
            subject(task),
            task and task["outcome"],
        ),
    )
