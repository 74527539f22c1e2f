#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-crlf-written
# report: use-agent-os/agent-os#1909
# expect: level=interface primitive=encoding cause=crlf
# subject: fix.diff
# outcome: failed
# needs: python3 git
# why: The tool writes every line end as CR LF, and the patch that was handed in does not apply to a file with LF.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
from mcp_stdio import serve

def write_file(path, content):
    with open(path, "w", newline="\r\n") as f:
        f.write(content)
    return "ok"

serve({"write_file": write_file})
END
cat >agent.py <<'END'
import subprocess
import sys
from mcp_stdio import Client

agent = Client("python3", "server.py")
patch = "--- a/port\n+++ b/port\n@@ -1,2 +1,2 @@\n host localhost\n-port 80\n+port 8080\n"
agent.text("write_file", path="fix.diff", content=patch)
sys.exit(subprocess.call(["git", "apply", "fix.diff"]))
END
printf 'host localhost\nport 80\n' >port
python3 agent.py
