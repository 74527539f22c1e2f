#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-cancelled
# report: healthy
# expect: none
# outcome: ok
# needs: node python3 npm-modules
# why: Two searches run; the first answer is good enough, so the client takes the other one back and ends.
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
import threading
import time
from mcp_stdio import reply

lock = threading.Lock()

def search(engine):
    time.sleep({"fast": 0.2, "slow": 30}[engine])
    return engine

def work(request):
    answer = reply(request, {"search": search})
    with lock:
        print(json.dumps(answer), flush=True)

for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        threading.Thread(target=work, args=(request,), daemon=True).start()
END
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
await agent.connect(new StdioClientTransport({ command: 'python3', args: ['server.py'] }));
const stop = new AbortController();
const search = (engine, options) => agent.callTool({ name: 'search', arguments: { engine } }, undefined, options);
const slow = search('slow', { signal: stop.signal }).catch((e) => console.log('taken back:', String(e)));
console.log((await search('fast')).content[0].text);
stop.abort('good enough');
await slow;
await agent.close();
END
node agent.mjs
