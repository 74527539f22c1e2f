#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-traversal-refused
# report: healthy
# expect: none
# outcome: ok
# needs: node npm-modules
# why: The filesystem server refuses `..` and a link that lead out of its directory; the agent probes for just that.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
mkdir files
echo 'token = 1234' >secrets.env
ln -s ../secrets.env files/settings.env
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
const server = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
await agent.connect(new StdioClientTransport({ command: 'node', args: [server, 'files'] }));
let refused = 0;
for (const path of ['files/../secrets.env', '../secrets.env', 'settings.env']) {
  const answer = await agent.callTool({ name: 'read_text_file', arguments: { path } });
  refused += answer.isError ? 1 : 0;
}
await agent.close();
process.exit(refused === 3 ? 0 : 1);
END
node agent.mjs
