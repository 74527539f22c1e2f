#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-tar-disk-full-success
# report: own
# expect: level=sandbox primitive=disk cause=full
# subject: b.tar
# outcome: failed
# needs: python3
# why: tar fails on a full tmpfs, the tool says it is done; the archive is broken
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" "$here/lib/picture.py" . || exit 77
bwrap --dev-bind / / true || exit 77
mkdir s
cat >server.py <<'XEND'
from mcp_stdio import serve

import subprocess
def backup(out):
    subprocess.run(["tar","cf",out,"data"],stderr=subprocess.DEVNULL); return "saved " + out
def check(path): return str(subprocess.run(["tar","tf",path],capture_output=True).returncode)
serve({"backup": backup, "check": check})
XEND
cat >agent.py <<'XEND'
import sys, json, os, base64
from mcp_stdio import Client, Refused

open("data","wb").write(os.urandom(500000))
a = Client("bwrap","--dev-bind","/","/","--size","65536","--tmpfs",os.path.abspath("s"),"--","python3","server.py")
a.text("backup", out="s/b.tar")
if a.text("check", path="s/b.tar") != "0": sys.exit("s/b.tar is broken")
XEND
python3 agent.py
