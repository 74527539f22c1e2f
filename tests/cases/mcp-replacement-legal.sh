#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-replacement-legal
# report: healthy
# expect: none
# outcome: ok
# needs: node npm-modules
# why: A text that speaks of U+FFFD, and holds one, is written and read back as it is.
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
const call = async (name, args) => (await agent.callTool({ name, arguments: args })).content[0].text;
const content = 'Bytes that are no UTF-8 become U+FFFD (\ufffd), one or more: \ufffd\ufffd.\nDas heißt: größer 🦊.\n';
await call('write_file', { path: 'decoding.md', content });
const returned = await call('read_text_file', { path: 'decoding.md' });
await agent.close();
process.exit(returned === content ? 0 : 1);
END
node agent.mjs
