#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-server-killed
# report: MoonshotAI/kimi-code#2109
# expect: level=interface primitive=deadline cause=killed
# subject: timeout
# outcome: failed
# needs: python3 coreutils
# why: The harness runs its tool servers under a time limit and kills one in the midst of a call.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import time
from mcp_stdio import serve

def compile(target):
    time.sleep({"small": 0, "large": 30}[target])
    return "compiled " + target

serve({"compile": compile})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("timeout", "-s", "KILL", "1.5", "python3", "server.py")
print(agent.text("compile", target="small"))
print(agent.text("compile", target="large"))
END
python3 agent.py
