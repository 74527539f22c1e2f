#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-asyncio-echo
# report: healthy
# expect: none
# outcome: ok
# needs: python3
# why: A server and twenty clients, a time-out and a killed child, all as meant.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >echo.py <<'EOF'
import asyncio

async def answer(reader, writer):
    writer.write(await reader.readline())
    await writer.drain()
    writer.close()

async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]

    async def ask(i):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"%d\n" % i)
        line = await reader.readline()
        writer.close()
        return int(line)

    print(sum(await asyncio.gather(*[ask(i) for i in range(20)])))
    try:
        await asyncio.wait_for(asyncio.sleep(5), 0.2)
    except asyncio.TimeoutError:
        print("timed out, as meant")
    child = await asyncio.create_subprocess_exec("sleep", "9")
    child.kill()
    await child.wait()
    server.close()

asyncio.run(main())
EOF
python3 echo.py
