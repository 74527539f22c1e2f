#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-image-other-type
# report: llmsresearch/paperbanana#58
# expect: level=interface primitive=payload cause=malformed
# subject: generate_diagram
# outcome: failed
# needs: python3 imagemagick
# why: A tool declares image/png and hands back a JPEG; the agent holds type against content and refuses it.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
convert -size 32x32 gradient: diagram.jpg 2>/dev/null && [ -s diagram.jpg ] || exit 77
cat >server.py <<'END'
import base64
from mcp_stdio import serve

def generate_diagram(caption):
    with open("diagram.jpg", "rb") as f:
        data = base64.b64encode(f.read()).decode()
    return [{"type": "text", "text": caption}, {"type": "image", "data": data, "mimeType": "image/png"}]

serve({"generate_diagram": generate_diagram})
END
cat >agent.py <<'END'
import base64
import sys
from mcp_stdio import Client

agent = Client("python3", "server.py")
image = agent.call("generate_diagram", caption="Overview of the framework")["content"][1]
agent.close()
if not base64.b64decode(image["data"]).startswith(b"\x89PNG\r\n\x1a\n"):
    sys.exit("400: the image was specified using the %s media type, but is none" % image["mimeType"])
END
python3 agent.py
