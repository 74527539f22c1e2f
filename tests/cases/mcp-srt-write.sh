#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-srt-write
# report: own
# expect: level=sandbox primitive=read-only cause=mount
# subject: files/review.md
# outcome: failed
# needs: node bwrap socat ripgrep npm-modules
# why: The server runs inside srt, whose settings allow no writing: EROFS in the kernel and in the answer.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
command -v rg >/dev/null && command -v socat >/dev/null || exit 77
mkdir files home
export HOME="$d/home"
echo 'print("hello")' >files/main.py
echo '{"network":{"allowedDomains":[],"deniedDomains":[]},"filesystem":{"denyRead":[],"allowWrite":[],"denyWrite":[]}}' \
    >settings.json
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const srt = 'node_modules/@anthropic-ai/sandbox-runtime/dist/cli.js';
const server = `${process.cwd()}/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js`;
const files = `${process.cwd()}/files`;
const agent = new Client({ name: 'agent', version: '1.0.0' });
await agent.connect(new StdioClientTransport({
  command: 'node', args: [srt, '--settings', 'settings.json', '-c', `node ${server} ${files}`],
  env: { TMPDIR: process.cwd() } })); // it leaves a socket there
const source = await agent.callTool({ name: 'read_text_file', arguments: { path: files + '/main.py' } });
const content = 'One remark on ' + source.content[0].text;
const answer = await agent.callTool({ name: 'write_file', arguments: { path: files + '/review.md', content } });
await agent.close();
console.log(answer.content[0].text);
process.exit(answer.isError ? 1 : 0);
END
node agent.mjs
