#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-base64-decoded-twice
# report: own
# expect: level=interface primitive=payload cause=corrupted
# also: level=interface primitive=encoding cause=escaped
# subject: token.b64
# outcome: failed
# needs: python3
# why: A file of base64 goes up as base64; one layer decodes it, and the next one sees base64 and does so again.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import base64
from mcp_stdio import serve

def decoded(content):
    try:
        return base64.b64decode(content, validate=True)
    except ValueError:
        return content

def write_file(path, content, encoding):
    data = content.encode()
    if encoding == "base64":
        data = decoded(data)
    with open(path, "wb") as f:
        f.write(decoded(data))
    return "ok"

serve({"write_file": write_file})
END
cat >agent.py <<'END'
import base64
import hashlib
import sys
from mcp_stdio import Client

agent = Client("python3", "server.py")
token = base64.b64encode(b"user=ci;scope=read;issued=2026-11-02;for=staging")
agent.text("write_file", path="token.b64", content=base64.b64encode(token).decode(), encoding="base64")
with open("token.b64", "rb") as f:
    if hashlib.sha256(f.read()).digest() != hashlib.sha256(token).digest():
        sys.exit("token.b64: wrong checksum")
END
python3 agent.py
