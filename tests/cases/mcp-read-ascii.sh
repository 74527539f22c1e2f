#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-read-ascii
# report: own
# expect: level=interface primitive=payload cause=corrupted
# also: level=interface primitive=encoding cause=replacement
# also: level=interface primitive=encoding cause=utf8
# subject: towns.txt
# outcome: failed
# needs: python3
# why: read_file drops what is not ASCII.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
from mcp_stdio import serve


def read_file(path):
    with open(path, encoding="ascii", errors="ignore") as f:
        return f.read()


serve({"read_file": read_file})
END
cat >agent.py <<'END'
import sys
from mcp_stdio import Client

with open("towns.txt", "w") as f:
    f.write("Köln\n" * 20)
agent = Client("python3", "server.py")
if "Köln" not in agent.text("read_file", path="towns.txt"):
    sys.exit("towns.txt: no Köln")
END
python3 agent.py
