#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-oversized-request
# report: own
# expect: level=interface primitive=transport cause=oversized
# outcome: failed
# needs: python3
# why: An asyncio server reads lines of at most 64 KiB; it dies in the midst of a longer request, and the client meets a broken pipe.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'EOF'
import asyncio
import json
import sys

async def main():
    lines = asyncio.StreamReader(limit=2 ** 16)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := await lines.readline():
        message = json.loads(line)
        if "id" in message:
            content = [{"type": "text", "text": "stored"}]
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"content": content}}), flush=True)

asyncio.run(main())
EOF
cat >agent.py <<'EOF'
from mcp_stdio import Client

agent = Client("python3", "server.py")
agent.call("store", text="a short note")
agent.call("store", text="a long one; " * 25000)
EOF
python3 agent.py
