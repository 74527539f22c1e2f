#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-http
# report: healthy
# expect: none
# outcome: ok
# needs: node npm-modules
# why: A session over streamable HTTP on the loopback interface: tools, progress over an event stream, and its end.
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
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const probe = createServer().listen(0, '127.0.0.1');
await new Promise((listening) => probe.once('listening', listening));
const { port } = probe.address();
await new Promise((closed) => probe.close(closed));

const program = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
const server = spawn('node', [program, 'streamableHttp'], {
  env: { ...process.env, PORT: port }, stdio: ['ignore', 'ignore', 'pipe'] });
await new Promise((up) => server.stderr.on('data', (text) => String(text).includes('listening') && up()));

const agent = new Client({ name: 'agent', version: '1.0.0' });
const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`));
await agent.connect(transport);
const echo = await agent.callTool({ name: 'echo', arguments: { message: 'größer 🦊' } });
const sum = await agent.callTool({ name: 'get-sum', arguments: { a: 40, b: 2 } });
const steps = [];
await agent.callTool({ name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 3 } }, undefined,
  { onprogress: (p) => steps.push(p.progress) });
await transport.terminateSession();
await agent.close();
server.kill();
console.log(echo.content[0].text, sum.content[0].text, steps.length);
process.exit(echo.content[0].text.includes('🦊') && sum.content[0].text.includes('42') ? 0 : 1);
END
node agent.mjs
