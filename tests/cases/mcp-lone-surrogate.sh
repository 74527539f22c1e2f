#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-lone-surrogate
# report: MemPalace/mempalace#503
# expect: level=interface primitive=encoding cause=utf8
# subject: summary.txt
# outcome: failed
# needs: node python3 npm-modules
# why: The agent cuts a text in the midst of an emoji; the half that is left is no character, and can't be written.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
. "$lib/mcp.sh"
mcp_modules
cat >server.py <<'END'
from mcp_stdio import serve

def save(path, content):
    with open(path, "w", encoding="utf-8") as f:
        f.write(content)
    return "saved"

serve({"save": save})
END
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
await agent.connect(new StdioClientTransport({ command: 'python3', args: ['server.py'] }));
const summary = 'The release went well. 🎉 Everybody was happy.'.slice(0, 24);
const answer = await agent.callTool({ name: 'save', arguments: { path: 'summary.txt', content: summary } });
await agent.close();
console.log(answer.content[0].text);
process.exit(answer.isError ? 1 : 0);
END
node agent.mjs
