#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-picture-as-text
# report: Consensys/ask-o11y-plugin#170
# expect: level=interface primitive=encoding cause=replacement
# also: level=interface primitive=payload cause=corrupted
# subject: photo.png
# outcome: failed
# needs: node python3 npm-modules
# why: A picture is handed to a text-only tool as a string, so U+FFFD stands where bytes were; what is read back is another file.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
mkdir files
python3 "$lib/picture.py" photo.png 96 || exit 77
cat >agent.mjs <<'END'
import { readFileSync, writeFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
const server = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
await agent.connect(new StdioClientTransport({ command: 'node', args: [server, 'files'] }));

const photo = readFileSync('photo.png');
await agent.callTool({ name: 'write_file', arguments: { path: 'photo.png', content: photo.toString() } });
const answer = await agent.callTool({ name: 'read_text_file', arguments: { path: 'photo.png' } });
await agent.close();

writeFileSync('returned.png', answer.content[0].text);
const returned = readFileSync('returned.png');
if (!returned.equals(photo)) {
  console.error(`photo.png went out with ${photo.length} bytes and came back with ${returned.length}`);
  process.exit(1);
}
END
node agent.mjs
