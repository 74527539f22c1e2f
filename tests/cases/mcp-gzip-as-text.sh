#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-gzip-as-text
# report: own
# expect: level=interface primitive=encoding cause=replacement
# also: level=interface primitive=payload cause=corrupted
# subject: logs.tar.gz
# outcome: failed
# needs: node tar gzip npm-modules
# why: An archive goes through a text argument and is stored with U+FFFD in its magic, so unpacking it fails.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
mkdir files
printf 'one\ntwo\n' >build.log
tar -czf logs.tar.gz build.log
cat >agent.mjs <<'END'
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
const server = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
await agent.connect(new StdioClientTransport({ command: 'node', args: [server, 'files'] }));
const content = readFileSync('logs.tar.gz').toString();
const answer = await agent.callTool({ name: 'write_file', arguments: { path: 'logs.tar.gz', content } });
console.log(answer.content[0].text);
await agent.close();
END
node agent.mjs && gzip -t files/logs.tar.gz
