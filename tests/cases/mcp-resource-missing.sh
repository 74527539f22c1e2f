#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-resource-missing
# report: own
# expect: level=interface primitive=protocol cause=invalid-request
# also: level=interface primitive=protocol cause=tool-error
# outcome: failed
# needs: node npm-modules
# why: The agent reads a resource that the server does not have: JSON-RPC error -32602.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
const server = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
await agent.connect(new StdioClientTransport({ command: 'node', args: [server], stderr: 'ignore' }));
const { resources } = await agent.listResources();
console.log((await agent.readResource({ uri: resources[0].uri })).contents.length);
try {
  await agent.readResource({ uri: 'demo://nothing/of/that/name' });
} catch (e) {
  console.error(String(e));
  process.exitCode = 1;
}
await agent.close();
END
node agent.mjs
