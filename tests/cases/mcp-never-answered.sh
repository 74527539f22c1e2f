#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-never-answered
# report: github/copilot-cli#1759
# expect: level=interface primitive=deadline cause=no-response
# subject: index
# outcome: failed
# needs: node python3 npm-modules
# why: A worker of the server loses one request; the client gives up after its own time limit and ends with an error.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
. "$lib/mcp.sh"
mcp_modules
cat >server.py <<'END'
import json
import queue
import sys
import threading
from mcp_stdio import reply

jobs = queue.Queue()

def index(path):
    return {"docs": "12 files", "src": "40 files"}[path]

def work():
    while True:
        request = jobs.get()
        if request["params"]["arguments"]["path"] in ("docs", "src"):
            print(json.dumps(reply(request, {"index": index})), flush=True)

threading.Thread(target=work, daemon=True).start()
for line in sys.stdin:
    request = json.loads(line)
    if request["method"] == "tools/call":
        jobs.put(request)
    elif "id" in request:
        print(json.dumps(reply(request, {"index": index})), flush=True)
END
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
await agent.connect(new StdioClientTransport({ command: 'python3', args: ['server.py'] }));
try {
  for (const path of ['docs', 'tests']) {
    const answer = await agent.callTool({ name: 'index', arguments: { path } }, undefined, { timeout: 1500 });
    console.log(answer.content[0].text);
  }
} catch (e) {
  console.error(String(e));
  process.exitCode = 1;
}
await agent.close();
END
node agent.mjs
