#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-oversized-line
# report: jupyter-ai-contrib/jupyter-ai-acp-client#32
# expect: level=interface primitive=transport cause=oversized
# outcome: failed
# needs: python3
# why: An asyncio client reads lines of at most 64 KiB; the answer is longer, and the client dies of it.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
from mcp_stdio import serve

serve({"read_log": lambda lines: "".join("%05d request served in 12 ms\n" % n for n in range(lines))})
END
cat >agent.py <<'END'
import asyncio
import json
import sys

async def main():
    pipe = asyncio.subprocess.PIPE
    server = await asyncio.create_subprocess_exec(sys.executable, "server.py", stdin=pipe, stdout=pipe)
    number = 0

    async def ask(method, **params):
        nonlocal number
        number += 1
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        server.stdin.write(json.dumps(request).encode() + b"\n")
        await server.stdin.drain()
        return json.loads(await server.stdout.readline())["result"]

    await ask("initialize", protocolVersion="2025-06-18", capabilities={},
              clientInfo={"name": "agent", "version": "1.0"})
    for lines in (100, 5000):
        answer = await ask("tools/call", name="read_log", arguments={"lines": lines})
        print(len(answer["content"][0]["text"]))
    server.stdin.close()
    await server.wait()

asyncio.run(main())
END
python3 agent.py
