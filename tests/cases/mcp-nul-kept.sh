#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-nul-kept
# report: healthy
# expect: none
# outcome: ok
# needs: node npm-modules
# why: U+0000 in a file's content is legal: it is written, read back and edited whole, byte for byte.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
mkdir files
cat >agent.mjs <<'END'
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
const server = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
await agent.connect(new StdioClientTransport({ command: 'node', args: [server, 'files'] }));
const call = async (name, args) => (await agent.callTool({ name, arguments: args })).content[0].text;

const listing = ['draft.md', 'notes with spaces.md', 'final.md'].map((name) => name + '\0').join('');
await call('write_file', { path: 'listing.txt', content: listing });
const returned = await call('read_text_file', { path: 'listing.txt' });
await call('edit_file', { path: 'listing.txt', edits: [{ oldText: 'draft.md\0', newText: '' }] });
const edited = await call('read_text_file', { path: 'listing.txt' });
await agent.close();

if (returned !== listing || edited !== listing.slice(9) || readFileSync('files/listing.txt', 'utf8') !== edited) process.exit(1);
console.log(`listing.txt: ${listing.length} characters in, ${returned.length} out`);
END
node agent.mjs
