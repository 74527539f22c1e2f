#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-crlf-read-only
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3
# why: read_file reads CRLF as LF, as text mode does; the agent only reads, and names the file in a complaint of its own.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
from mcp_stdio import serve


def read_file(path):
    with open(path) as f:
        return f.read()


serve({"read_file": read_file})
END
cat >agent.py <<'END'
import sys
from mcp_stdio import Client

with open("run.bat", "wb") as f:
    f.write(b"@echo off\r\necho one\r\nexit\r\n")
agent = Client("python3", "server.py")
if "pause" not in agent.text("read_file", path="run.bat"):
    sys.exit("run.bat does not pause")
END
python3 agent.py
