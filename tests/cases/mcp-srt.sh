#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-srt
# report: healthy
# expect: none
# outcome: ok
# needs: node bwrap socat ripgrep npm-modules
# why: The server runs inside srt, whose settings allow writing in its workspace; a file is written, edited and read.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
command -v rg >/dev/null && command -v socat >/dev/null || exit 77
mkdir files home
export HOME="$d/home"
cat >settings.json <<END
{"network":{"allowedDomains":[],"deniedDomains":[]},
 "filesystem":{"denyRead":[],"allowWrite":["$d/files"],"denyWrite":[]}}
END
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
const call = async (name, args) => {
  const answer = await agent.callTool({ name, arguments: { path: files + '/review.md', ...args } });
  if (answer.isError) throw new Error(answer.content[0].text);
  return answer.content[0].text;
};
await call('write_file', { content: 'One remark.\n' });
await call('edit_file', { edits: [{ oldText: 'One remark', newText: 'Two remarks' }] });
const text = await call('read_text_file', {});
await agent.close();
process.exit(text === 'Two remarks.\n' ? 0 : 1);
END
node agent.mjs
