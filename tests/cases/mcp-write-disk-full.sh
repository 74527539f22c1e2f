#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-write-disk-full
# report: own
# expect: level=sandbox primitive=disk cause=full
# subject: table.csv
# outcome: failed
# needs: node bwrap npm-modules
# why: The server's workspace is a small tmpfs; a table that does not fit is refused with ENOSPC.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
bwrap --dev-bind / / true || exit 77
mkdir files
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const files = process.cwd() + '/files';
const server = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
const sandbox = ['--dev-bind', '/', '/', '--size', '1048576', '--tmpfs', files, '--die-with-parent'];
const agent = new Client({ name: 'agent', version: '1.0.0' });
await agent.connect(new StdioClientTransport({ command: 'bwrap', args: [...sandbox, '--', 'node', server, files] }));
let failed = false;
for (const rows of [100, 200000]) {
  const content = '1000,2000,3000\n'.repeat(rows);
  const answer = await agent.callTool({ name: 'write_file', arguments: { path: files + '/table.csv', content } });
  console.log(answer.content[0].text);
  failed ||= answer.isError;
}
await agent.close();
process.exit(failed ? 1 : 0);
END
node agent.mjs
