#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-edit-seccomp
# report: own
# expect: level=sandbox primitive=seccomp cause=denied
# subject: rename
# outcome: failed
# needs: node cc npm-modules
# why: The filesystem server edits by a temporary file and a rename, which the filter refuses; its answer says EPERM.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
. "$here/lib/filter.sh"
make_filter
mkdir files
echo 'port = 80' >files/app.conf
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const server = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
const filter = ['EPERM', 'rename', 'renameat', 'renameat2', '--', 'node', server, 'files'];
const agent = new Client({ name: 'agent', version: '1.0.0' });
await agent.connect(new StdioClientTransport({ command: './filter', args: filter }));
const edits = [{ oldText: 'port = 80', newText: 'port = 8080' }];
const answer = await agent.callTool({ name: 'edit_file', arguments: { path: 'app.conf', edits } });
await agent.close();
console.log(answer.content[0].text);
process.exit(answer.isError ? 1 : 0);
END
node agent.mjs
