#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-http-unknown-tool
# report: own
# expect: level=interface primitive=protocol cause=invalid-request
# subject: get-product
# outcome: failed
# needs: node npm-modules
# why: Over streamable HTTP the agent calls a tool that is not there; status 200, an event, and -32602 in its text.
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
await agent.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)));
const sum = await agent.callTool({ name: 'get-sum', arguments: { a: 40, b: 2 } });
const answer = await agent.callTool({ name: 'get-product', arguments: { a: 6, b: 7 } });
await agent.close();
server.kill();
console.log(sum.content[0].text, answer.content[0].text);
process.exit(answer.isError ? 1 : 0);
END
node agent.mjs
