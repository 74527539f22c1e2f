#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-http-oversized
# report: modelcontextprotocol/typescript-sdk#1625
# expect: level=interface primitive=transport cause=oversized
# outcome: failed
# needs: node npm-modules
# why: The body parser in front of the server takes 100 kB; a larger call is answered with 413 and a page for people.
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

const app = express();
app.use(express.json());
app.post('/mcp', async (request, answer) => {
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  server.registerTool('count', { inputSchema: { text: z.string() } },
    async ({ text }) => ({ content: [{ type: 'text', text: `${text.length} characters` }] }));
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
try {
  for (const length of [1000, 200000]) {
    const answer = await agent.callTool({ name: 'count', arguments: { text: 'x'.repeat(length) } });
    console.log(answer.content[0].text);
  }
} catch (e) {
  console.error(String(e).slice(0, 200));
  process.exitCode = 1;
}
await agent.close();
server.kill();
END
node agent.mjs
