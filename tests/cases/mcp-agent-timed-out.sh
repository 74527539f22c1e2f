#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-agent-timed-out
# report: own
# expect: level=interface primitive=deadline cause=no-response
# also: level=interface primitive=deadline cause=killed
# outcome: failed
# needs: node python3 npm-modules coreutils
# why: A tool never answers, and the harness ends the whole agent at its time limit.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
. "$lib/mcp.sh"
mcp_modules
cat >server.py <<'END'
import time
from mcp_stdio import serve

serve({"solve": lambda puzzle: time.sleep(60) or "42"})
END
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
await agent.connect(new StdioClientTransport({ command: 'python3', args: ['server.py'] }));
const answer = await agent.callTool({ name: 'solve', arguments: { puzzle: 'hard' } });
console.log(answer.content[0].text);
END
timeout 3 node agent.mjs || exit 1
