#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-base64-unpadded
# report: own
# expect: level=interface primitive=payload cause=malformed
# subject: p.png
# outcome: failed
# needs: python3
# why: A picture is handed back in base64 without its padding, which its client's decoder refuses.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" "$here/lib/picture.py" . || exit 77
python3 picture.py p.png 60
cat >server.py <<'END'
import base64
from mcp_stdio import serve


def download(path):
    with open(path, "rb") as f:
        data = base64.b64encode(f.read()).decode().rstrip("=")
    return [{"type": "image", "mimeType": "image/png", "data": data}]


serve({"download": download})
END
cat >agent.py <<'END'
import base64
from mcp_stdio import Client

with open("p.png", "ab") as f:
    while f.tell() % 3 == 0:
        f.write(b"x")
agent = Client("python3", "server.py")
base64.b64decode(agent.call("download", path="p.png")["content"][0]["data"])
END
python3 agent.py
