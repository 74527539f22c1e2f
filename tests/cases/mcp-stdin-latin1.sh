#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-stdin-latin1
# report: own
# expect: level=interface primitive=encoding cause=utf8
# subject: towns.txt
# outcome: failed
# needs: python3
# why: the server decodes its stdin as Latin-1 (a code page): double UTF-8 on disk
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" "$here/lib/picture.py" . || exit 77
cat >server.py <<'XEND'
from mcp_stdio import serve

def write_file(path, content):
    open(path, "w", encoding="utf-8").write(content); return "ok"
serve({"write_file": write_file})
XEND
cat >agent.py <<'XEND'
import json, sys, os, base64
from mcp_stdio import Client, Refused
class Raw(Client):
    def write(self, m):
        self.server.stdin.write(json.dumps(m, ensure_ascii=False).encode() + b"\n"); self.server.stdin.flush()

import time
a = Raw("env", "PYTHONIOENCODING=latin-1", "python3", "server.py")
a.text("write_file", path="towns.txt", content="Köln, Málaga\n" * 20)
time.sleep(.5)
if "Köln" not in open("towns.txt", encoding="utf-8").read(): sys.exit("towns.txt: no Köln")
XEND
python3 agent.py
