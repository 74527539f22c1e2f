#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-log-tolerated
# report: microsoft/azure-devops-mcp#147
# expect: none
# outcome: ok
# needs: node python3 npm-modules
# why: The same lines on the channel, but this client passes over what is no JSON, and everything is answered.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
. "$lib/mcp.sh"
mcp_modules
cat >server.py <<'END'
import logging
import sys
from mcp_stdio import serve

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(asctime)s [%(levelname)s] %(message)s")
print("Search MCP Server version: 1.3.0", flush=True)

def search(query):
    logging.info("searching for %s", query)
    return "2 results"

serve({"search": search})
END
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
let odd = 0;
agent.onerror = () => odd++;
await agent.connect(new StdioClientTransport({ command: 'python3', args: ['server.py'] }));
const answer = await agent.callTool({ name: 'search', arguments: { query: 'invoices' } });
await agent.close();
console.log(answer.content[0].text, odd);
process.exit(odd === 2 ? 0 : 1);
END
node agent.mjs
