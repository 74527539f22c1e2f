# SPDX-License-Identifier: GPL-2.0-only
"""The campaign's own daemon, on places of its own: started, told of tasks, and asked."""
import json
import os
import select
import signal
import socket
import subprocess
import threading
import time

CONFIG = """\
db = {directory}/sandfault.db
socket = {directory}/control.sock
group = -
alert-command = {directory}/on-alert
alert-window = 10s
alert-min-tasks = 4
"""
# What a team would hang in here: the alert's JSON comes on standard input.
ON_ALERT = """\
#!/bin/sh
cat >>{directory}/alerts.jsonl
echo >>{directory}/alerts.jsonl
"""


class Daemon:
    def __init__(self, build, directory):
        self.build = build
        self.directory = directory
        self.db = os.path.join(directory, "sandfault.db")
        self.socket = os.path.join(directory, "control.sock")
        self.alerts = os.path.join(directory, "alerts.jsonl")
        self.process = None
        self.local = threading.local()

    def start(self, limit=20):
        os.mkdir(self.directory, 0o700)
        for name, text, mode in (("sandfault.conf", CONFIG, 0o644), ("on-alert", ON_ALERT, 0o755)):
            path = os.path.join(self.directory, name)
            with open(path, "w") as f:
                f.write(text.format(directory=self.directory))
            os.chmod(path, mode)
        ready, ready_in = os.pipe()
        with open(os.path.join(self.directory, "daemon.log"), "wb") as log:
            self.process = subprocess.Popen(
                [os.path.join(self.build, "sandfaultd"), "--config",
                 os.path.join(self.directory, "sandfault.conf"), "--ready-fd", str(ready_in)],
                pass_fds=[ready_in], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True)
        os.close(ready_in)
        try:
            if not select.select([ready], [], [], limit)[0] or not os.read(ready, 16):
                raise RuntimeError("the daemon did not start:\n" + self.log())
        finally:
            os.close(ready)

    def log(self):
        with open(os.path.join(self.directory, "daemon.log"), errors="replace") as f:
            return "".join(f.readlines()[-20:])

    def stop(self, limit=20):
        """SIGTERM; its exit status. One that does not listen is killed, and that is an error."""
        if not self.process or self.process.poll() is not None:
            return self.process and self.process.returncode
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()

    def call(self, request):
        """One request on this thread's connection."""
        if not hasattr(self.local, "stream"):
            sock = socket.socket(socket.AF_UNIX)
            sock.settimeout(30)
            sock.connect(self.socket)
            self.local.stream = sock.makefile("rwb")
        self.local.stream.write(json.dumps(request).encode() + b"\n")
        self.local.stream.flush()
        line = self.local.stream.readline()
        reply = json.loads(line) if line else {"ok": False, "message": "the daemon went away"}
        if not reply["ok"]:
            raise RuntimeError("%s %s: %s" % (request["op"], request.get("task", ""), reply))
        return reply

    def begin(self, campaign, task, labels, cgroup):
        self.call({"op": "begin", "campaign": campaign, "task": task, "labels": labels,
                   "cgroup": cgroup})

    def end(self, campaign, task, status):
        """`status` is that of subprocess: negative for a signal."""
        request = {"op": "end", "campaign": campaign, "task": task, "wait": False}
        if status < 0:
            request.update(outcome="killed", signal=-status)
        else:
            request.update(outcome="failed" if status else "ok", exit_code=status)
        self.call(request)

    def settle(self, campaign, limit=30):
        """Waits until every task has its final verdict."""
        self.call({"op": "flush"})
        end = time.monotonic() + limit
        for state in ("running", "settling"):
            while self.ask("task", "list", "--campaign", campaign, "--state", state,
                           check=False)[0] == 0:
                if time.monotonic() > end:
                    raise RuntimeError("tasks are still " + state)
                time.sleep(0.1)

    def wait_alert(self, limit=10):
        """The lines that the alert command has written."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if os.path.exists(self.alerts):
                with open(self.alerts) as f:
                    lines = [line.strip() for line in f if line.strip()]
                if lines:
                    return lines
            time.sleep(0.1)
        return []

    def ask(self, *args, check=True):
        """Runs the command line; its exit status and its standard output."""
        got = subprocess.run([os.path.join(self.build, "sandfault"), *args, "--db", self.db,
                              "--socket", self.socket], stdout=subprocess.PIPE, text=True,
                             errors="replace", check=False)
        if check and got.returncode != 0:
            raise RuntimeError("sandfault %s: exit status %d" % (" ".join(args), got.returncode))
        return got.returncode, got.stdout
