#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-directory-lost
# report: own
# expect: level=sandbox primitive=ephemeral cause=lost-directory
# also: level=sandbox primitive=ephemeral cause=lost-file
# subject: files/drafts
# outcome: failed
# needs: node bwrap npm-modules
# why: A directory is made in one session and gone in the next, whose sandbox has a workspace of its own again.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
mkdir files
bwrap --dev-bind / / true || exit 77
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const server = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
const files = process.cwd() + '/files';

async function session(tool, args) {
  const agent = new Client({ name: 'agent', version: '1.0.0' });
  const sandbox = ['--ro-bind', '/', '/', '--dev', '/dev', '--tmpfs', files, '--', 'node', server, files];
  await agent.connect(new StdioClientTransport({ command: 'bwrap', args: sandbox }));
  const answer = await agent.callTool({ name: tool, arguments: args });
  await agent.close();
  console.log(answer.content[0].text);
  if (answer.isError) process.exit(1);
}

await session('create_directory', { path: files + '/drafts' });
await session('list_directory', { path: files + '/drafts' });
END
node agent.mjs
