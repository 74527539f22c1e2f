#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-batch
# report: healthy
# expect: none
# outcome: ok
# needs: python3
# why: The client sends two requests and a notification as one batch; the answers are one array, in another order.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import json
import sys
from mcp_stdio import reply

tools = {"upper": lambda text: text.upper(), "size": lambda text: str(len(text))}
for line in sys.stdin:
    message = json.loads(line)
    if isinstance(message, list):
        answer = [a for a in (reply(request, tools) for request in reversed(message)) if a]
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
def request(number, tool):
    params = {"name": tool, "arguments": {"text": "abc"}}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}

note = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}}
agent.write([request("a", "upper"), note, request("b", "size")])
answers = {a["id"]: a["result"]["content"][0]["text"] for a in json.loads(agent.line())}
agent.close()
sys.exit(answers != {"a": "ABC", "b": "3"})
END
python3 agent.py
