#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-no-version
# report: own
# expect: level=interface primitive=protocol cause=invalid-request
# outcome: failed
# needs: python3
# why: One request of the client has no "jsonrpc" member: the server answers -32600, Invalid Request.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import json
import sys
from mcp_stdio import reply

for line in sys.stdin:
    request = json.loads(line)
    if request.get("jsonrpc") != "2.0":
        answer = {"jsonrpc": "2.0", "id": request.get("id"), "error": {"code": -32600, "message": "Invalid Request"}}
    else:
        answer = reply(request, {"add": lambda a, b: str(a + b)})
    if answer:
        print(json.dumps(answer), flush=True)
END
cat >agent.py <<'END'
import sys
from mcp_stdio import Client

agent = Client("python3", "server.py")
agent.write({"id": 5, "method": "tools/call", "params": {"name": "add", "arguments": {"a": 1, "b": 2}}})
answer = agent.wait(5)
if "error" in answer:
    sys.exit("error %(code)d: %(message)s" % answer["error"])
END
python3 agent.py
