#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-server-crash
# report: own
# expect: level=interface primitive=transport cause=closed
# also: level=workload primitive=crash cause=signal
# outcome: failed
# needs: node python3 npm-modules
# why: Native code of the server follows a null pointer in the midst of a call; the client hears "Connection closed".
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
. "$lib/mcp.sh"
mcp_modules
cat >server.py <<'END'
import ctypes
from mcp_stdio import serve

def checksum(address):
    buffer = ctypes.create_string_buffer(16)
    ctypes.memmove(buffer, address, 16)
    return buffer.raw.hex()

serve({"checksum": checksum, "hello": lambda: "hello"})
END
cat >agent.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const agent = new Client({ name: 'agent', version: '1.0.0' });
await agent.connect(new StdioClientTransport({ command: 'python3', args: ['server.py'] }));
console.log((await agent.callTool({ name: 'hello', arguments: {} })).content[0].text);
try {
  await agent.callTool({ name: 'checksum', arguments: { address: 0 } });
} catch (e) {
  console.error(String(e));
  process.exitCode = 1;
}
END
node agent.mjs
