#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-jpeg-written-back
# report: coddingtonbear/obsidian-local-rest-api#335
# expect: level=interface primitive=encoding cause=replacement
# subject: photo.jpg
# outcome: failed
# needs: python3 imagemagick
# why: A text tool reads a picture with U+FFFD where it is no UTF-8; the agent writes that back over the picture.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
convert -size 64x48 plasma:fractal photo.jpg 2>/dev/null && [ -s photo.jpg ] || exit 77
cat >server.py <<'END'
from mcp_stdio import serve

def vault_read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()

def vault_write(path, content):
    with open(path, "w", encoding="utf-8") as f:
        f.write(content)
    return "written"

serve({"vault_read": vault_read, "vault_write": vault_write})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("python3", "server.py")
note = agent.text("vault_read", path="photo.jpg")
agent.text("vault_write", path="photo.jpg", content=note)
agent.close()
END
python3 agent.py
identify photo.jpg
