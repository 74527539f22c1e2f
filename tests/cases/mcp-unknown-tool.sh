#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-unknown-tool
# report: own
# expect: level=interface primitive=protocol cause=invalid-request
# subject: read_textfile
# outcome: failed
# needs: node npm-modules
# why: The agent calls a tool that the server does not have; the answer is an isError with -32602 in its text.
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
const answer = await agent.callTool({ name: 'read_textfile', arguments: { path: 'a.txt' } });
await agent.close();
console.log(answer.content[0].text);
process.exit(answer.isError ? 1 : 0);
END
node agent.mjs
