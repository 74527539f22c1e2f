#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-sse
# report: healthy
# expect: none
# outcome: ok
# needs: node npm-modules
# why: The older transport: requests by POST, every answer on one event stream of another connection.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
cat >agent.mjs <<'END'
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';

const probe = createServer().listen(0, '127.0.0.1');
await new Promise((listening) => probe.once('listening', listening));
const { port } = probe.address();
await new Promise((closed) => probe.close(closed));

const program = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
const server = spawn('node', [program, 'sse'], {
  env: { ...process.env, PORT: port }, stdio: ['ignore', 'ignore', 'pipe'] });
await new Promise((up) => server.stderr.on('data', (text) => String(text).includes('running') && up()));

const agent = new Client({ name: 'agent', version: '1.0.0' });
await agent.connect(new SSEClientTransport(new URL(`http://127.0.0.1:${port}/sse`)));
const sums = [];
for (const b of [1, 2, 3]) {
  const answer = await agent.callTool({ name: 'get-sum', arguments: { a: 40, b } });
  sums.push(answer.content[0].text);
}
await agent.close();
server.kill();
console.log(sums.join('\n'));
process.exit(sums[1].includes('42') ? 0 : 1);
END
node agent.mjs
