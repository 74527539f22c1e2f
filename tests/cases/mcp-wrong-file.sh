#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-wrong-file
# report: own
# expect: level=interface primitive=payload cause=corrupted
# also: level=interface primitive=path cause=wrong-directory
# subject: b/config.txt
# outcome: failed
# needs: python3
# why: an index by base name: another file of the same name is handed out
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" "$here/lib/picture.py" . || exit 77
cat >server.py <<'XEND'
from mcp_stdio import serve
import glob, os
INDEX={os.path.basename(p):p for p in sorted(glob.glob("*/*"),reverse=True)}
def read_file(path): return open(INDEX[os.path.basename(path)]).read()

serve({n: f for n, f in globals().items() if n in ("write_file","read_file","upload","read_chunk","append_chunk","edit_file","download","read_resource")})
XEND
cat >agent.py <<'XEND'
import sys, json, os, base64
from mcp_stdio import Client, Refused
os.mkdir("a"); os.mkdir("b")
open("a/config.txt","w").write("name = alpha\n"*9); open("b/config.txt","w").write("name = bravo\n"*9)
a = Client("python3", "server.py")
content = None
path = "b/config.txt"
if "bravo" not in a.text("read_file",path=path): sys.exit("b/config.txt: no bravo")
XEND
python3 agent.py
