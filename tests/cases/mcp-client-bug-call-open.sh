#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-client-bug-call-open
# report: own
# expect: level=workload primitive=exit cause=non-zero
# subject: python3
# outcome: failed
# needs: python3
# why: The agent dies of a bug of its own with a call under way; its server hears EPIPE.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import time
from mcp_stdio import serve

def slow():
    time.sleep(1)
    return "done"

serve({"slow": slow, "version": lambda: "1"})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("python3", "server.py")
agent.text("version")
agent.send("tools/call", name="slow", arguments={})
print({}["tools"])
END
python3 agent.py
