#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-pretty-printed
# report: BaseIntelligence/bounty-challenge#4400
# expect: level=interface primitive=protocol cause=not-json
# also: level=interface primitive=protocol cause=invalid-request
# outcome: failed
# needs: python3
# why: The client indents its JSON, so one request arrives as many lines, none of which is a message: -32700 each time.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import json
import sys
from mcp_stdio import reply

for line in sys.stdin:
    try:
        request = json.loads(line)
        answer = reply(request, {"add": lambda a, b: str(a + b)})
    except (ValueError, AttributeError):
        answer = {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}}
    if answer:
        print(json.dumps(answer), flush=True)
END
cat >agent.py <<'END'
import json
import sys
from mcp_stdio import Client

agent = Client("python3", "server.py")
request = {"jsonrpc": "2.0", "id": 7, "method": "tools/call",
           "params": {"name": "add", "arguments": {"a": 1, "b": 2}}}
agent.server.stdin.write(json.dumps(request, indent=2).encode() + b"\n")
agent.server.stdin.flush()
answer = json.loads(agent.line())
if "error" in answer:
    sys.exit("error %(code)d: %(message)s" % answer["error"])
print(answer["result"])
END
python3 agent.py
