#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-several-servers
# report: healthy
# expect: none
# outcome: ok
# needs: node python3 npm-modules
# why: One agent talks with three servers at once, two of Node and one of Python, sixty calls in flight together.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
. "$lib/mcp.sh"
mcp_modules
mkdir files
cat >server.py <<'END'
from mcp_stdio import serve

serve({"double": lambda n: str(2 * n)})
END
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const parts = 'node_modules/@modelcontextprotocol';
const connect = async (command, ...args) => {
  const agent = new Client({ name: 'agent', version: '1.0.0' });
  await agent.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }));
  return agent;
};
const servers = await Promise.all([
  connect('node', parts + '/server-filesystem/dist/index.js', 'files'),
  connect('node', parts + '/server-everything/dist/index.js'),
  connect('python3', 'server.py')]);
const calls = [];
for (let n = 0; n < 20; n++) {
  calls.push(servers[0].callTool({ name: 'write_file', arguments: { path: `f${n}`, content: String(n) } }));
  calls.push(servers[1].callTool({ name: 'get-sum', arguments: { a: n, b: n } }));
  calls.push(servers[2].callTool({ name: 'double', arguments: { n } }));
}
const answers = await Promise.all(calls);
await Promise.all(servers.map((s) => s.close()));
process.exit(answers.some((a) => a.isError) ? 1 : 0);
END
node agent.mjs
