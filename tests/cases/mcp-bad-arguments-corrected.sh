#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-bad-arguments-corrected
# report: healthy
# expect: none
# outcome: ok
# needs: node npm-modules
# why: The first call lacks its content and is refused; the agent reads why, and the second one succeeds.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
mkdir files
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
const server = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
await agent.connect(new StdioClientTransport({ command: 'node', args: [server, 'files'] }));
let answer = await agent.callTool({ name: 'write_file', arguments: { path: 'report.md' } });
if (answer.isError && answer.content[0].text.includes('content'))
  answer = await agent.callTool({ name: 'write_file', arguments: { path: 'report.md', content: 'Done.\n' } });
await agent.close();
console.log(answer.content[0].text);
process.exit(answer.isError ? 1 : 0);
END
node agent.mjs
