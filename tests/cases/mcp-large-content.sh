#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-large-content
# report: healthy
# expect: none
# outcome: ok
# needs: node npm-modules
# why: A text of three megabytes goes up and comes back whole; its answer stands in many pieces on the wire.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
mkdir files
cat >agent.mjs <<'END'
import { statSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
const server = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
await agent.connect(new StdioClientTransport({ command: 'node', args: [server, 'files'] }));
const call = async (name, args) => (await agent.callTool({ name, arguments: args })).content[0].text;
const content = Array.from({ length: 60000 }, (_, n) => `${n}\t"quoted" and\\or größer, with a tab\n`).join('');
await call('write_file', { path: 'table.tsv', content });
const returned = await call('read_text_file', { path: 'table.tsv' });
const head = await call('read_text_file', { path: 'table.tsv', head: 3 });
await agent.close();
console.log(statSync('files/table.tsv').size, head.length);
process.exit(returned === content && content.startsWith(head) ? 0 : 1);
END
node agent.mjs
