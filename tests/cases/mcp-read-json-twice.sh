#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-read-json-twice
# report: own
# expect: level=interface primitive=encoding cause=escaped
# also: level=interface primitive=payload cause=corrupted
# subject: prog.py
# outcome: failed
# needs: python3
# why: read_file answers with a JSON string within its text.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import json
from mcp_stdio import serve


def read_file(path):
    with open(path) as f:
        return json.dumps(f.read())


serve({"read_file": read_file})
END
cat >agent.py <<'END'
import sys
from mcp_stdio import Client

with open("prog.py", "w") as f:
    f.write("import sys\nprint(1)\n" * 20)
agent = Client("python3", "server.py")
if "\n" not in agent.text("read_file", path="prog.py"):
    sys.exit("prog.py came back in one line")
END
python3 agent.py
