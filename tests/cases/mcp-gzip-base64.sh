#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-gzip-base64
# report: healthy
# expect: none
# outcome: ok
# needs: python3 tar gzip
# why: The same archive as base64 with its encoding said, decoded by the tool, read back as base64, and unpacked.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
printf 'one\ntwo\n' >build.log
tar -czf logs.tar.gz build.log
cat >server.py <<'END'
import base64
from mcp_stdio import serve

def write(path, content, encoding="utf-8"):
    data = base64.b64decode(content, validate=True) if encoding == "base64" else content.encode()
    with open(path, "wb") as f:
        f.write(data)
    return "%d bytes" % len(data)

def read(path):
    with open(path, "rb") as f:
        blob = base64.b64encode(f.read()).decode()
    return [{"type": "resource",
             "resource": {"uri": "file:///" + path, "mimeType": "application/gzip", "blob": blob}}]

serve({"write": write, "read": read})
END
cat >agent.py <<'END'
import base64
import sys
from mcp_stdio import Client

agent = Client("python3", "server.py")
archive = open("logs.tar.gz", "rb").read()
agent.text("write", path="stored.tar.gz", content=base64.b64encode(archive).decode(), encoding="base64")
blob = agent.call("read", path="stored.tar.gz")["content"][0]["resource"]["blob"]
agent.close()
sys.exit(base64.b64decode(blob) != archive)
END
python3 agent.py && gzip -t stored.tar.gz
