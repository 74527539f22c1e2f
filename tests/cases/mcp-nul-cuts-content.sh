#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-nul-cuts-content
# report: ggml-org/llama.cpp#25543
# expect: level=interface primitive=null-byte cause=payload
# subject: listing.txt
# outcome: failed
# needs: python3
# why: The tool hands its text on as a C string, so the file ends where the first U+0000 stood, and the call reports success.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >server.py <<'END'
import ctypes, json, sys

libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p

def save(path, content):
    stream = ctypes.c_void_p(libc.fopen(path.encode(), b"w"))
    libc.fputs(content.encode(), stream)
    libc.fclose(stream)
    return "saved " + path

def load(path):
    with open(path, newline="") as f:
        return f.read()

for line in sys.stdin:
    request = json.loads(line)
    if request["method"] == "initialize":
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                  "serverInfo": {"name": "notes", "version": "0.3"}}
    elif request["method"] == "tools/call":
        tool = {"save": save, "load": load}[request["params"]["name"]]
        result = {"content": [{"type": "text", "text": tool(**request["params"]["arguments"])}]}
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
END
cat >agent.py <<'END'
import itertools, json, subprocess, sys

server = subprocess.Popen([sys.executable, "server.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
number = itertools.count(1)

def send(method, **params):
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    if not method.startswith("notifications/"):
        message["id"] = next(number)
    print(json.dumps(message), file=server.stdin, flush=True)
    return json.loads(server.stdout.readline())["result"] if "id" in message else None

def call(tool, **arguments):
    return send("tools/call", name=tool, arguments=arguments)["content"][0]["text"]

send("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "agent", "version": "1"})
send("notifications/initialized")
listing = "".join(name + "\0" for name in ("draft.md", "notes with spaces.md", "final.md"))
print(call("save", path="listing.txt", content=listing))
returned = call("load", path="listing.txt")
server.stdin.close()
server.wait()
if returned != listing:
    sys.exit("listing.txt: %d characters in, %d out" % (len(listing), len(returned)))
END
python3 agent.py
