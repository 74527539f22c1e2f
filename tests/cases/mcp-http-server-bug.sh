#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-http-server-bug
# report: own
# expect: level=interface primitive=transport cause=closed
# also: level=interface primitive=transport cause=reset
# outcome: failed
# needs: node npm-modules
# why: An error escapes in the midst of a call over HTTP, and the whole server process ends with the request open.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
cat >server.mjs <<'END'
import express from 'express';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const stock = { apples: { price: 3 }, pears: { price: 4 } };
const app = express();
app.use(express.json());
app.post('/mcp', async (request, answer) => {
  const server = new McpServer({ name: 'shop', version: '1.0.0' });
  server.registerTool('price', { inputSchema: { fruit: z.string() } }, ({ fruit }) =>
    new Promise((done) => setTimeout(() => {
      done({ content: [{ type: 'text', text: String(stock[fruit].price) }] });
    }, 10)));
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport);
  await transport.handleRequest(request, answer, request.body);
});
const http = app.listen(0, '127.0.0.1', () => console.log(http.address().port));
END
cat >agent.mjs <<'END'
import { spawn } from 'node:child_process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const server = spawn('node', ['server.mjs'], { stdio: ['ignore', 'pipe', 'ignore'] });
const port = Number(await new Promise((up) => server.stdout.once('data', up)));
const agent = new Client({ name: 'agent', version: '1.0.0' });
await agent.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)));
const price = async (fruit) => {
  const answer = await agent.callTool({ name: 'price', arguments: { fruit } }, undefined, { timeout: 3000 });
  return answer.content[0].text;
};
try {
  console.log(await price('apples'), await price('plums'));
} catch (e) {
  console.error(String(e));
  process.exitCode = 1;
}
await agent.close();
END
node agent.mjs
