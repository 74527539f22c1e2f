#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-resource-uri-escaped
# report: own
# expect: level=interface primitive=encoding cause=escaped
# subject: notes.txt
# outcome: failed
# needs: python3
# why: resources/read: the server takes %20 of the URI for text
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" "$here/lib/picture.py" . || exit 77
cat >server.py <<'XEND'
import sys, json
from mcp_stdio import reply
for line in sys.stdin:
    m = json.loads(line)
    if m["method"] == "resources/read":
        try:
            a = {"jsonrpc": "2.0", "id": m["id"], "result": {"contents": [{"uri": m["params"]["uri"], "text": open(m["params"]["uri"][7:]).read()}]}}
        except OSError as e:
            a = {"jsonrpc": "2.0", "id": m["id"], "error": {"code": -32002, "message": "Resource not found: %s" % e}}
    else:
        a = reply(m, {})
    if a: print(json.dumps(a), flush=True)
XEND
cat >agent.py <<'XEND'
import sys, json, os, base64
from mcp_stdio import Client, Refused

import pathlib
open("my notes.txt", "w").write("hello\n")
a = Client("python3", "server.py")
print(a.ask("resources/read", uri=pathlib.Path("my notes.txt").resolve().as_uri()))
XEND
python3 agent.py
