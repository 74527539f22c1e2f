#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-pdf-decoded-as-text
# report: zereight/gitlab-mcp#648
# expect: level=interface primitive=encoding cause=replacement
# subject: report.pdf
# outcome: failed
# needs: python3
# why: The tool has the file as base64 and decodes it to UTF-8 text all the same, so what comes back is no PDF any more.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import base64
from mcp_stdio import serve

def repository(path):
    """As a hosting service answers: base64, whatever the file is."""
    with open("repository/" + path, "rb") as f:
        return {"content": base64.b64encode(f.read()).decode(), "encoding": "base64"}

def get_file_contents(file_path):
    return base64.b64decode(repository(file_path)["content"]).decode("utf-8", "replace")

serve({"get_file_contents": get_file_contents})
END
cat >agent.py <<'END'
import os
import sys
import zlib
from mcp_stdio import Client

os.mkdir("repository")
page = zlib.compress(b"BT /F1 24 Tf 72 720 Td (Quarterly report) Tj ET " * 20)
with open("repository/report.pdf", "wb") as f:
    f.write(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj <</Filter/FlateDecode/Length ")
    f.write(b"%d>> stream\n%s\nendstream endobj\ntrailer <<>>\n%%%%EOF\n" % (len(page), page))

agent = Client("python3", "server.py")
text = agent.text("get_file_contents", file_path="report.pdf")
agent.close()
stream = text.encode().split(b"stream\n")[1]
try:
    print(zlib.decompressobj().decompress(stream))
except zlib.error as e:
    sys.exit("report.pdf: %s" % e)
END
python3 agent.py
