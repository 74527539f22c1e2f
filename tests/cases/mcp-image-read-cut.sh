#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-image-read-cut
# report: own
# expect: level=interface primitive=payload cause=truncated
# subject: p.png
# outcome: failed
# needs: python3
# why: A picture is read with one read() of 4096 bytes.
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
        data = base64.b64encode(f.read(4096)).decode()
    return [{"type": "image", "mimeType": "image/png", "data": data}]


serve({"download": download})
END
cat >agent.py <<'END'
import base64
import sys
from mcp_stdio import Client


agent = Client("python3", "server.py")
data = agent.call("download", path="p.png")["content"][0]["data"]
if not base64.b64decode(data).endswith(b"IEND\xaeB`\x82"):
    sys.exit("truncated PNG")
END
python3 agent.py
