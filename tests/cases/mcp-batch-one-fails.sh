#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-batch-one-fails
# report: own
# expect: level=interface primitive=protocol cause=tool-error
# subject: divide
# outcome: failed
# needs: python3
# why: One of three requests of a batch is answered with isError, and the agent fails for it.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import json
import sys
from mcp_stdio import reply

tools = {"divide": lambda a, b: str(a // b)}
for line in sys.stdin:
    message = json.loads(line)
    if isinstance(message, list):
        answer = [reply(request, tools) for request in message]
    else:
        answer = reply(message, tools)
    if answer:
        print(json.dumps(answer), flush=True)
END
cat >agent.py <<'END'
import json
import sys
from mcp_stdio import Client

agent = Client("python3", "server.py")
agent.write([{"jsonrpc": "2.0", "id": n, "method": "tools/call",
              "params": {"name": "divide", "arguments": {"a": 12, "b": n - 101}}} for n in (100, 101, 102)])
answers = json.loads(agent.line())
agent.close()
print([a["result"]["content"][0]["text"] for a in answers])
sys.exit(any(a["result"]["isError"] for a in answers))
END
python3 agent.py
