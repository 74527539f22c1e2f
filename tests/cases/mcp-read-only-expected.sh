#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-read-only-expected
# report: own
# expect: none
# subject: files/review.md
# outcome: ok
# needs: node bwrap npm-modules
# why: The agent tries whether it may write; the refusal is an answer like another, and it prints its review instead.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
mkdir files
echo 'print("hello")' >files/main.py
bwrap --dev-bind / / true || exit 77
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
const server = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
const sandbox = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-pid', '--die-with-parent'];
await agent.connect(new StdioClientTransport({ command: 'bwrap', args: [...sandbox, '--', 'node', server, 'files'] }));
const content = 'No remarks.\n';
const answer = await agent.callTool({ name: 'write_file', arguments: { path: 'review.md', content } });
if (answer.isError) console.log(content);
const source = await agent.callTool({ name: 'read_text_file', arguments: { path: 'main.py' } });
console.log(source.content[0].text);
await agent.close();
END
node agent.mjs
