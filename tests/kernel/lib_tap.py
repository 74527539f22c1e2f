# SPDX-License-Identifier: GPL-2.0-only
"""What the suites of tools' channels share: what the kernel side tells, and processes that talk."""
import json
import os
import subprocess
import sys

from lib import BUILD, TOP, equal

DATA, OTHER, EOF, REFUSED = 1, 2, 3, 4
PIPE, UNIX, TCP = 1, 2, 3
EXEC, CHUNK = 2, 12
HELLO = b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}\n'
WELCOME = b'{"result":{"protocolVersion":"2025-06-18"},"jsonrpc":"2.0","id":0}\n'
NOTE = b'{"method":"ping"}\n'  # once recognised, anything goes
ME = os.getpid()


class Tap:
    def __init__(self, *args):
        self.process = subprocess.Popen(
            [os.path.join(BUILD, "tests", "kernel", "tap"), *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.records = []
        if self.answer() != "ready":
            sys.exit("tap does not start")

    def answer(self):
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit("tap has ended")
            if line[0] == "=":
                return line[1:].strip()
            record = json.loads(line)
            record["data"] = bytes.fromhex(record.get("data", ""))
            self.records.append(record)

    def do(self, *words):
        self.process.stdin.write(" ".join(str(w) for w in words) + "\n")
        self.process.stdin.flush()
        return self.answer()

    def state(self):
        return json.loads(self.do("state"))

    def take(self):
        """The records since the last call."""
        self.do("state")
        taken, self.records = self.records, []
        return [r for r in taken if r["record"] != CHUNK or r["stream"]]

    def lossless(self):
        state = self.state()
        kinds = ("lost_channel", "lost_stream", "lost_scratch")
        equal("nothing was lost", [state[k] for k in kinds], [0, 0, 0])

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def streams(records):
    """By stream: its bytes where no gap is, its records."""
    by = {}
    for r in records:
        if r["record"] == CHUNK:
            by.setdefault(r["stream"], []).append(r)
    return by


def whole(records):
    """The bytes of one stream's records, each where its offset says."""
    text = bytearray()
    for r in records:
        if r["what"] != DATA:
            continue
        if r["offset"] != len(text):
            return "gap at %d, record at %d" % (len(text), r["offset"])
        text += r["data"] + b"?" * r["missing"]
    return bytes(text)


def of(records, **want):
    return [r for r in records if all(r.get(k) == v for k, v in want.items())]


def one(name, records, want, **fields):
    """One stream, these bytes, each once; its first record has these fields."""
    by = streams(records)
    if not equal("%s: streams" % name, len(by), 1):
        return None
    got = list(by.values())[0]
    equal(name, whole(got), want)
    data = of(got, what=DATA)
    equal("%s: one first record" % name, [r["first"] for r in data], [1] + [0] * (len(data) - 1))
    equal("%s: fields" % name, {k: data[0][k] for k in fields}, fields)
    return data


def nothing(name, records):
    equal(name, [r for r in records if r["record"] == CHUNK], [])


class Server:
    """A process that does to its descriptors 0 and 1 what its lines of Python say."""

    def __init__(self, script, stdin, stdout, **kw):
        self.process = subprocess.Popen(
            [sys.executable, "-Sc", "import os, sys, socket\n" + script],
            stdin=stdin,
            stdout=stdout,
            **kw,
        )
        self.pid = self.process.pid

    def wait(self):
        return self.process.wait(timeout=30)


subprocess.run(
    ["make", "-s", os.path.join(os.path.relpath(BUILD, TOP), "tests", "kernel", "tap")],
    cwd=TOP,
    check=True,
)
