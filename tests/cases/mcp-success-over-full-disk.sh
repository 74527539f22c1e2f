#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-success-over-full-disk
# report: own
# expect: level=sandbox primitive=disk cause=full
# subject: index.bin
# outcome: ok
# needs: python3 bwrap
# why: The tool swallows ENOSPC and reports success: on the wire all is well, on the disk the index ends early.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
bwrap --dev-bind / / true || exit 77
mkdir cache
cat >server.py <<'END'
from mcp_stdio import serve

def build_index(size):
    try:
        with open("cache/index.bin", "wb", buffering=0) as f:
            for _ in range(size):
                if f.write(b"\0" * 65536) < 65536:
                    break
    except OSError:
        pass
    return "index is up to date"

serve({"build_index": build_index})
END
cat >agent.py <<'END'
import os
from mcp_stdio import Client

small = ["--size", "1048576", "--tmpfs", os.path.abspath("cache")]
agent = Client("bwrap", "--dev-bind", "/", "/", *small, "--", "python3", "server.py")
print(agent.text("build_index", size=64))
agent.close()
END
python3 agent.py
