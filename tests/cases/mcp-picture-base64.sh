#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-picture-base64
# report: healthy
# expect: none
# outcome: ok
# needs: node python3 npm-modules
# why: The same two ways with a picture, but as base64: up as text, down as text and as image content, all bytes the same.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
mkdir files
python3 "$lib/picture.py" photo.png 96 || exit 77
cp photo.png files/stored.png
cat >agent.mjs <<'END'
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
const server = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
await agent.connect(new StdioClientTransport({ command: 'node', args: [server, 'files'] }));

const photo = readFileSync('photo.png');
await agent.callTool({ name: 'write_file', arguments: { path: 'photo.b64', content: photo.toString('base64') } });
const text = await agent.callTool({ name: 'read_text_file', arguments: { path: 'photo.b64' } });
const image = await agent.callTool({ name: 'read_media_file', arguments: { path: 'stored.png' } });
await agent.close();

for (const base64 of [text.content[0].text, image.content[0].data]) {
  if (!Buffer.from(base64, 'base64').equals(photo)) process.exit(1);
}
console.log(`photo.png came back twice with its ${photo.length} bytes`);
END
node agent.mjs
