#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-base64-stored
# report: github/github-mcp-server#841
# expect: level=interface primitive=payload cause=corrupted
# also: level=interface primitive=encoding cause=escaped
# subject: logo.png
# outcome: failed
# needs: python3
# why: The tool is told that its content is base64 and stores the base64 text itself, so the picture on disk is none.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
python3 "$here/lib/picture.py" photo.png 24 || exit 77
cat >server.py <<'END'
from mcp_stdio import serve

def push_file(path, content, encoding="utf-8"):
    with open(path, "w") as f:
        f.write(content)
    return "pushed " + path

serve({"push_file": push_file})
END
cat >agent.py <<'END'
import base64
import sys
from mcp_stdio import Client

agent = Client("python3", "server.py")
photo = open("photo.png", "rb").read()
print(agent.text("push_file", path="logo.png", content=base64.b64encode(photo).decode(), encoding="base64"))
if not open("logo.png", "rb").read().startswith(b"\x89PNG"):
    sys.exit("logo.png is not a PNG file")
END
python3 agent.py
