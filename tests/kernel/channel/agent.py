# SPDX-License-Identifier: GPL-2.0-only
"""agent.py [SESSIONS CALLS]: tool servers and their client, for channel_stress.py.

Without arguments a server on stdio. With them a client of SESSIONS servers at once, CALLS tools/call
each: every tenth is refused, every fiftieth has an answer of 40 kB, a notification comes after each
seventh. Prints what it counted, as JSON; ends with 1 if an answer was not what it should be.
"""
import json
import os
import selectors
import subprocess
import sys

LARGE = 40000


def answer(request):
    if request["method"] == "initialize":
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
    else:
        n = request["params"]["arguments"]["n"]
        text = "x" * LARGE if n % 50 == 49 else "call %d" % n
        result = {"content": [{"type": "text", "text": text}], "isError": n % 10 == 9}
    return {"jsonrpc": "2.0", "id": request["id"], "result": result}


def serve():
    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request:
            print(json.dumps(answer(request)), flush=True)


class Session:
    """One server and where its client is: `n` is the number of the call that is open."""

    def __init__(self, calls):
        self.server = subprocess.Popen(
            [sys.executable, "-S", os.path.abspath(__file__)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.calls, self.n, self.held = calls, -1, []
        self.ok = self.failed = self.wrong = 0
        self.ask({"method": "initialize", "params": {"protocolVersion": "2025-06-18"}})

    def write(self, message):
        os.write(
            self.server.stdin.fileno(), json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"
        )

    def ask(self, message):
        self.write({"id": self.n, **message})

    def next(self):
        """Asks for the next call; False: that was the last."""
        if self.n % 7 == 6:
            self.write({"method": "notifications/progress", "params": {"progressToken": self.n}})
        self.n += 1
        if self.n == self.calls:
            self.server.stdin.close()
            return False
        params = {"name": "work", "arguments": {"n": self.n}}
        self.ask({"method": "tools/call", "params": params})
        return True

    def take(self, line):
        message = json.loads(line)
        self.wrong += message["id"] != self.n
        if self.n >= 0:
            bad = message["result"]["isError"]
            self.failed += bad
            self.ok += not bad
            self.wrong += bad != (self.n % 10 == 9)

    def ready(self):
        """Reads what is there; False: the session is over."""
        data = os.read(self.server.stdout.fileno(), 65536)
        self.held.append(data)
        if not data.endswith(b"\n"):
            return bool(data)
        line, self.held = b"".join(self.held), []
        self.take(line)
        return self.next()


def main(sessions, calls):
    waiting = selectors.DefaultSelector()
    open_sessions = [Session(calls) for _ in range(sessions)]
    for s in open_sessions:
        waiting.register(s.server.stdout, selectors.EVENT_READ, s)
    while waiting.get_map():
        for key, _ in waiting.select():
            if not key.data.ready():
                waiting.unregister(key.fileobj)
    for s in open_sessions:
        s.server.wait()
    sums = {k: sum(getattr(s, k) for s in open_sessions) for k in ("ok", "failed", "wrong")}
    print(json.dumps(sums))
    sys.exit(1 if sums["wrong"] else 0)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        main(int(sys.argv[1]), int(sys.argv[2]))
    serve()
