#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-write-read-only
# report: HKUDS/nanobot#2314
# expect: level=sandbox primitive=read-only cause=mount
# subject: files/review.md
# outcome: failed
# needs: node bwrap npm-modules
# why: The server may read its workspace but its sandbox mounts it read-only; the kernel's EROFS is what stands in the tool's error.
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
const source = await agent.callTool({ name: 'read_text_file', arguments: { path: 'main.py' } });
const review = 'One remark on ' + source.content[0].text;
const answer = await agent.callTool({ name: 'write_file', arguments: { path: 'review.md', content: review } });
await agent.close();
console.log(answer.content[0].text);
process.exit(answer.isError ? 1 : 0);
END
node agent.mjs
