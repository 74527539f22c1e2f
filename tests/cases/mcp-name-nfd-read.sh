#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-name-nfd-read
# report: own
# expect: level=interface primitive=encoding cause=normalization
# outcome: failed
# needs: python3
# why: the file has an NFD name (from a Mac), the agent asks for NFC
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" "$here/lib/picture.py" . || exit 77
cat >server.py <<'XEND'
from mcp_stdio import serve
serve({"read_file": lambda path: open(path).read()})
XEND
cat >agent.py <<'XEND'
import sys, json, os, base64
from mcp_stdio import Client, Refused
open("cafe\u0301.txt","w").write("menu\n")
a = Client("python3","server.py")
print(a.text("read_file", path="caf\u00e9.txt"))
XEND
python3 agent.py
