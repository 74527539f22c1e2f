#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-slow-answer
# report: healthy
# expect: none
# outcome: ok
# needs: node python3 npm-modules
# why: A call that takes three seconds tells of its progress and is answered in time.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
. "$lib/mcp.sh"
mcp_modules
cat >server.py <<'END'
import json
import sys
import time
from mcp_stdio import reply

def note(token, done):
    params = {"progressToken": token, "progress": done, "total": 3}
    print(json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}), flush=True)

for line in sys.stdin:
    request = json.loads(line)
    if request["method"] == "tools/call":
        for done in (1, 2, 3):
            time.sleep(1)
            note(request["params"]["_meta"]["progressToken"], done)
    answer = reply(request, {"train": lambda epochs: "loss 0.03"})
    if answer:
        print(json.dumps(answer), flush=True)
END
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
await agent.connect(new StdioClientTransport({ command: 'python3', args: ['server.py'] }));
const options = { timeout: 2000, resetTimeoutOnProgress: true, onprogress: (p) => console.log(p.progress) };
const answer = await agent.callTool({ name: 'train', arguments: { epochs: 3 } }, undefined, options);
console.log(answer.content[0].text);
await agent.close();
END
node agent.mjs
