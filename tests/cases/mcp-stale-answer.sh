#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-stale-answer
# report: own
# expect: level=interface primitive=payload cause=corrupted
# subject: setup.cfg
# outcome: failed
# needs: python3
# why: read_file answers from a cache that write_file does not clear.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import functools
from mcp_stdio import serve


@functools.lru_cache
def read_file(path):
    with open(path) as f:
        return f.read()


def write_file(path, content):
    with open(path, "w") as f:
        f.write(content)
    return "ok"


serve({"read_file": read_file, "write_file": write_file})
END
cat >agent.py <<'END'
import sys
from mcp_stdio import Client

with open("setup.cfg", "w") as f:
    f.write("version = 1\n" * 20)
agent = Client("python3", "server.py")
agent.text("read_file", path="setup.cfg")
agent.text("write_file", path="setup.cfg", content="version = 2\n" * 20)
if "2" not in agent.text("read_file", path="setup.cfg"):
    sys.exit("setup.cfg still has the old content")
END
python3 agent.py
