#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-everything
# report: healthy
# expect: none
# outcome: ok
# needs: node npm-modules
# why: The SDK's everything server: tools, resources, prompts, sampling, elicitation, roots, progress, a picture.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as types from '@modelcontextprotocol/sdk/types.js';

const agent = new Client({ name: 'agent', version: '1.0.0' },
  { capabilities: { sampling: {}, elicitation: {}, roots: { listChanged: true } } });
const asked = [];
agent.setRequestHandler(types.CreateMessageRequestSchema, async () => {
  asked.push('sampling');
  return { role: 'assistant', model: 'none', content: { type: 'text', text: 'forty-two' } };
});
agent.setRequestHandler(types.ElicitRequestSchema, async () => {
  asked.push('elicitation');
  return { action: 'decline' };
});
agent.setRequestHandler(types.ListRootsRequestSchema, async () => {
  asked.push('roots');
  return { roots: [{ uri: 'file://' + process.cwd() }] };
});
const server = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
await agent.connect(new StdioClientTransport({ command: 'node', args: [server], stderr: 'ignore' }));
const call = (name, args = {}, options) => agent.callTool({ name, arguments: args }, undefined, options);
await agent.ping();
await agent.listTools();
const { resources } = await agent.listResources();
await agent.readResource({ uri: resources[0].uri });
const { prompts } = await agent.listPrompts();
await agent.getPrompt({ name: prompts[0].name });
await call('echo', { message: 'a "quoted" text,\nwith two lines' });
await call('trigger-sampling-request', { prompt: 'six times seven', maxTokens: 10 });
await call('trigger-elicitation-request');
await call('get-roots-list');
await call('trigger-long-running-operation', { duration: 1, steps: 2 }, { onprogress: () => {} });
const image = (await call('get-tiny-image')).content.find((c) => c.type === 'image');
await call('get-structured-content', { location: 'Chicago' });
await agent.close();
console.log(asked.join(' '), image.mimeType);
process.exit(asked.includes('sampling') && asked.includes('roots') ? 0 : 1);
END
node agent.mjs
