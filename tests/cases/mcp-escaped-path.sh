#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-escaped-path
# report: own
# expect: level=interface primitive=encoding cause=escaped
# subject: annual%20report.txt
# outcome: failed
# needs: node npm-modules
# why: The path stands in the argument as it would in a URL; the file with the space in its name is there.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
mkdir files
echo 'nothing to add' >'files/annual report.txt'
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
const server = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
await agent.connect(new StdioClientTransport({ command: 'node', args: [server, 'files'] }));
const answer = await agent.callTool({ name: 'read_text_file', arguments: { path: 'annual%20report.txt' } });
await agent.close();
console.log(answer.content[0].text);
process.exit(answer.isError ? 1 : 0);
END
node agent.mjs
