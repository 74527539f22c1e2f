#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-base64-cut
# report: own
# expect: level=interface primitive=payload cause=malformed
# subject: screenshot
# outcome: failed
# needs: python3
# why: The tool cuts its base64 at a length that is no multiple of four; the client cannot decode it.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
python3 "$here/lib/picture.py" page.png 48 || exit 77
cat >server.py <<'END'
import base64
from mcp_stdio import serve

def screenshot(url):
    with open("page.png", "rb") as f:
        data = base64.b64encode(f.read()).decode()
    return [{"type": "image", "data": data[:5001], "mimeType": "image/png"}]

serve({"screenshot": screenshot})
END
cat >agent.py <<'END'
import base64
from mcp_stdio import Client

agent = Client("python3", "server.py")
image = agent.call("screenshot", url="http://localhost/")["content"][0]
agent.close()
print(len(base64.b64decode(image["data"], validate=True)))
END
python3 agent.py
