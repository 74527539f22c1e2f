# SPDX-License-Identifier: GPL-2.0-only
"""What scripts/bench measures of tools' channels: a real server's round trip with and without us, and how
many calls a second are accounted for, one by one."""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from lib import TOP, WORK, Daemon, cgroup_name, inside, make_cgroup

SERVER = "@modelcontextprotocol/server-filesystem/dist/index.js"
CALLS = 300  # of one measurement
WARM = 300  # calls before the first: the server's code is compiled by then
SESSIONS = 64
ALL_CALLS = 10000


def modules():
    """The directory of the real parts; None where they can't be had."""
    where = tempfile.mkdtemp(dir=WORK)
    script = 'lib=$0; . "$lib/mcp.sh"; mcp_modules; pwd -P'
    p = subprocess.run(
        ["sh", "-c", script, os.path.join(TOP, "tests", "cases", "lib")],
        cwd=where,
        stdout=subprocess.PIPE,
    )
    return os.path.join(where, "node_modules") if p.returncode == 0 else None


class Client:
    """A session with a server that this starts, over pipes, in a cgroup."""

    def __init__(self, command, cgroup):
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            preexec_fn=inside(cgroup),
        )
        self.id = 0
        self.ask(
            "initialize",
            protocolVersion="2025-06-18",
            capabilities={},
            clientInfo={"name": "bench", "version": "1"},
        )
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def say(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, **params):
        self.id += 1
        self.say({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params})
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.id and "method" not in answer:
                return answer

    def call(self, tool, **arguments):
        return self.ask("tools/call", name=tool, arguments=arguments)

    def time(self, calls, tool, **arguments):
        """Microseconds of a call, the median of so many."""
        took = []
        for _ in range(calls):
            began = time.perf_counter()
            self.call(tool, **arguments)
            took.append(time.perf_counter() - began)
        return statistics.median(took) * 1e6

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def begin(daemon, task, cgroup):
    reply = daemon.request("begin", campaign="bench", task=task, cgroup=cgroup_name(cgroup))
    if not reply.get("ok"):
        sys.exit("bench: begin: %r" % reply)


def round_trip(rounds, root):
    """(microseconds without us, ratio with us, calls on record, calls made); None: no server."""
    parts = modules()
    if not parts:
        return None
    files = tempfile.mkdtemp(dir=WORK)
    path = os.path.join(files, "notes.txt")
    with open(path, "w") as f:
        f.write("a line of a usual file\n" * 40)
    cgroup = make_cgroup("%s/round-trip" % root)
    client = Client(["node", os.path.join(parts, SERVER), files], cgroup)
    client.time(WARM, "read_text_file", path=path)
    bare, ratios, seen, made = [], [], 0, 0
    for n in range(rounds):
        before = client.time(CALLS, "read_text_file", path=path)
        d = Daemon(name="round-trip-%d" % n)
        begin(d, "t-%d" % n, cgroup)
        client.time(20, "read_text_file", path=path)
        observed = client.time(CALLS, "read_text_file", path=path)
        task = d.request("end", campaign="bench", task="t-%d" % n, outcome="ok")["task"]
        seen += task["calls"]["total"]
        made += CALLS + 20
        d.stop()
        after = client.time(CALLS, "read_text_file", path=path)
        bare.append((before + after) / 2)
        ratios.append(observed / bare[-1])
    client.end()
    return statistics.median(bare), statistics.median(ratios), seen, made


ECHO = """
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if "id" in m:
        r = {"content": [{"type": "text", "text": str(m["params"].get("arguments"))}]}
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}) + "\\n")
        sys.stdout.flush()
"""


def accounted(root):
    """Calls a second of many sessions at once; how many are on record, and how many were made."""
    cgroup = make_cgroup("%s/sessions" % root)
    d = Daemon(name="sessions")
    begin(d, "sessions", cgroup)
    each = ALL_CALLS // SESSIONS + 1
    clients = [Client([sys.executable, "-Sc", ECHO], cgroup) for _ in range(SESSIONS)]

    def work(client):
        for n in range(each):
            client.call("echo", text="message %d of a usual length, or nearly so" % n)

    threads = [threading.Thread(target=work, args=(c,)) for c in clients]
    began = time.monotonic()
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    took = time.monotonic() - began
    for c in clients:
        c.end()
    calls = d.request("end", campaign="bench", task="sessions", outcome="ok")["task"]["calls"]
    d.stop()
    made = SESSIONS * (each + 1)  # with each one's initialize
    return SESSIONS * each / took, calls["total"], made, calls["failed"]
