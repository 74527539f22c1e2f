#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-browser
# report: healthy
# expect: none
# outcome: ok
# needs: node chromium npm-modules
# why: The Playwright server drives a browser: a page, a picture of it, and a sum, in one session.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$lib/mcp.sh"
mcp_modules
export HOME="$d"
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
const args = ['node_modules/@playwright/mcp/cli.js', '--headless', '--no-sandbox', '--isolated',
  '--executable-path', process.argv[2], '--output-dir', 'out'];
await agent.connect(new StdioClientTransport({ command: 'node', args }));
const call = async (name, args) => {
  const answer = await agent.callTool({ name, arguments: args });
  if (answer.isError) throw new Error(answer.content[0].text);
  return answer.content;
};
await call('browser_navigate', { url: 'data:text/html,<title>hello</title><h1>hello</h1>' });
const picture = (await call('browser_take_screenshot', {})).find((c) => c.type === 'image');
const sum = await call('browser_evaluate', { function: '() => 6 * 7' });
await agent.close();
const png = Buffer.from(picture.data, 'base64').subarray(1, 4).toString();
process.exit(png === 'PNG' && sum[0].text.includes('42') ? 0 : 1);
END
node agent.mjs "$(command -v chromium || exit 77)"
