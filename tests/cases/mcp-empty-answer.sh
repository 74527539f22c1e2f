#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-empty-answer
# report: own
# expect: level=interface primitive=payload cause=truncated
# subject: notes.md
# outcome: failed
# needs: python3
# why: The tool swallows an error of its own and hands back an empty text.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import json
from mcp_stdio import serve


def read_file(path):
    try:
        with open(path) as f:
            return json.load(f)["text"]
    except ValueError:
        return ""


serve({"read_file": read_file})
END
cat >agent.py <<'END'
import sys
from mcp_stdio import Client

with open("notes.md", "w") as f:
    f.write("# Notes\nA line.\n" * 30)
agent = Client("python3", "server.py")
if not agent.text("read_file", path="notes.md"):
    sys.exit("notes.md came back empty")
END
python3 agent.py
