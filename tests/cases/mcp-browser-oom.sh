#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-browser-oom
# report: own
# expect: level=sandbox primitive=memory cause=oom-cgroup
# subject: limited-case
# outcome: ok
# needs: node chromium npm-modules
# why: The OOM killer takes the page's renderer; the tools go on with a blank page, and the agent ends well with it.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
export HOME="$d"
cat >server.sh <<END
. "$here/lib/limit.sh"
in_limited_cgroup memory=400M -- node node_modules/@playwright/mcp/cli.js --headless --no-sandbox --isolated \
    --executable-path "$(command -v chromium || exit 77)" --output-dir out
END
cat >agent.mjs <<'END'
import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const page = `<title>rows</title><h1>rows</h1><script>
  const fill = () => { window.rows = []; for (let i = 1; i < 1000; i++) rows.push(new Uint8Array(1 << 20).fill(i)); };
  setTimeout(fill, 500);
</script>`;
const web = createServer((request, answer) => {
  answer.setHeader('content-type', 'text/html');
  answer.end(page);
}).listen(0, '127.0.0.1');
await new Promise((listening) => web.once('listening', listening));

const agent = new Client({ name: 'agent', version: '1.0.0' });
await agent.connect(new StdioClientTransport({ command: 'sh', args: ['server.sh'], stderr: 'ignore' }));
const call = (name, args) => agent.callTool({ name, arguments: args }, undefined, { timeout: 15000 });
await call('browser_navigate', { url: `http://127.0.0.1:${web.address().port}/` });
await call('browser_wait_for', { time: 2 });
let shown = await call('browser_snapshot', {});
if (shown.isError) shown = await call('browser_snapshot', {});
await agent.close();
web.close();
web.closeAllConnections();
console.log(shown.content[0].text);
process.exit(shown.isError ? 1 : 0);
END
node agent.mjs
