# SPDX-License-Identifier: GPL-2.0-only
"""A session with a tool server that speaks JSON-RPC over its standard streams."""
import json
import os
import subprocess
import sys

SERVER = """
import json, os, sys
for line in sys.stdin:
    call = json.loads(line)
    reply = {"jsonrpc": "2.0", "id": call["id"]}
    p = call.get("params", {})
    if call["method"] == "write":
        with open(p["path"], "w") as f:
            reply["result"] = f.write(p["text"])
    elif call["method"] == "read":
        with open(p["path"]) as f:
            reply["result"] = f.read()
    elif call["method"] == "list":
        reply["result"] = sorted(os.listdir(p["path"]))
    print(json.dumps(reply), flush=True)
"""

n = int(sys.argv[1])
os.makedirs("shared", exist_ok=True)
server = subprocess.Popen([sys.executable, "-c", SERVER], text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE)
calls = 0


def call(method, **params):
    global calls
    calls += 1
    request = {"jsonrpc": "2.0", "id": calls, "method": method, "params": params}
    server.stdin.write(json.dumps(request) + "\n")
    server.stdin.flush()
    reply = json.loads(server.stdout.readline())
    assert reply["id"] == calls
    return reply["result"]


for k in range(40):
    text = "note %d of %d: größer als ½\n" % (k, n)
    assert call("write", path="shared/%d.txt" % k, text=text) == len(text)
    assert call("read", path="shared/%d.txt" % k) == text
assert len(call("list", path="shared")) == 40
server.stdin.close()
assert server.wait() == 0
print("rpc: %d calls answered" % calls)
