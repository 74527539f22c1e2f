#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-unknown-method
# report: own
# expect: level=interface primitive=protocol cause=invalid-request
# subject: resources/read
# outcome: failed
# needs: node python3 npm-modules
# why: The agent asks a server without resources for one: JSON-RPC error -32601, and the agent gives up.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
. "$lib/mcp.sh"
mcp_modules
cat >server.py <<'END'
from mcp_stdio import serve

serve({"hello": lambda: "hello"})
END
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
await agent.connect(new StdioClientTransport({ command: 'python3', args: ['server.py'] }));
console.log((await agent.callTool({ name: 'hello', arguments: {} })).content[0].text);
try {
  await agent.readResource({ uri: 'notes://today' });
} catch (e) {
  console.error(String(e));
  process.exitCode = 1;
}
await agent.close();
END
node agent.mjs
