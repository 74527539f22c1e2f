#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-latin1-as-text
# report: own
# expect: level=interface primitive=encoding cause=replacement
# subject: menu.txt
# outcome: failed
# needs: node npm-modules
# why: A file in Latin-1 is read as UTF-8: a success with U+FFFD in it, and the agent does not find its line.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
mkdir files
printf 'Tarte aux pommes 6.50\nCr\350me br\373l\351e 7.20\n' >files/menu.txt
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
const server = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
await agent.connect(new StdioClientTransport({ command: 'node', args: [server, 'files'] }));
const answer = await agent.callTool({ name: 'read_text_file', arguments: { path: 'menu.txt' } });
await agent.close();
const line = answer.content[0].text.split('\n').find((l) => l.startsWith('Crème brûlée'));
if (!line) {
  console.error('no such dish');
  process.exit(1);
}
END
node agent.mjs
