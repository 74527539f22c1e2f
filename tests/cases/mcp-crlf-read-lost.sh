#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-crlf-read-lost
# report: own
# expect: level=interface primitive=encoding cause=crlf
# subject: run.bat
# outcome: failed
# needs: python3
# why: read_file reads CRLF as LF, and so the agent writes it back.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
from mcp_stdio import serve


def read_file(path):
    with open(path) as f:
        return f.read()


def write_file(path, content):
    with open(path, "w") as f:
        f.write(content)
    return "ok"


serve({"read_file": read_file, "write_file": write_file})
END
cat >agent.py <<'END'
import sys
import time
from mcp_stdio import Client

with open("run.bat", "wb") as f:
    f.write(b"@echo off\r\necho one\r\nexit\r\n")
agent = Client("python3", "server.py")
text = agent.text("read_file", path="run.bat")
time.sleep(0.3)  # as a model takes to think
agent.text("write_file", path="run.bat", content=text.replace("one", "two"))
with open("run.bat", "rb") as f:
    if b"\r\n" not in f.read():
        sys.exit("run.bat has lost its CRLF")
END
python3 agent.py
