#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-png-read-as-text
# report: own
# expect: level=interface primitive=encoding cause=replacement
# subject: logo.png
# outcome: failed
# needs: node python3 npm-modules
# why: The agent reads a picture by the tool for texts and stores what comes: all successes, and no picture any more.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
mkdir files
python3 "$here/lib/picture.py" files/logo.png 40 || exit 77
cat >agent.mjs <<'END'
import { readFileSync, writeFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
const server = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
await agent.connect(new StdioClientTransport({ command: 'node', args: [server, 'files'] }));
const answer = await agent.callTool({ name: 'read_text_file', arguments: { path: 'logo.png' } });
await agent.close();
writeFileSync('copy.png', answer.content[0].text);
process.exit(readFileSync('copy.png').subarray(1, 4).toString() === 'PNG' ? 0 : 1);
END
node agent.mjs
