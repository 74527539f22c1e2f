#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-upload-cut-and-gone
# report: own
# expect: level=interface primitive=payload cause=truncated
# subject: data.bin
# outcome: failed
# needs: python3
# why: A tool cuts what it has decoded at 1 MiB; its client looks, and both are gone at once. What they left is packed up.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import base64
from mcp_stdio import serve


def upload(path, content_base64):
    with open(path, "wb") as f:
        f.write(base64.b64decode(content_base64)[: 1 << 20])
    return "ok"


serve({"upload": upload})
END
cat >agent.py <<'END'
import base64
import os
import sys
from mcp_stdio import Client

data = os.urandom(1500000)
agent = Client("python3", "server.py")
agent.text("upload", path="data.bin", content_base64=base64.b64encode(data).decode())
with open("data.bin", "rb") as f:
    if f.read() != data:
        sys.exit("it differs")
END
python3 agent.py
status=$?
gzip -1 data.bin
exit "$status"
