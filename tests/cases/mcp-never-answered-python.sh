#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-never-answered-python
# report: own
# expect: level=interface primitive=deadline cause=no-response
# subject: fetch
# outcome: failed
# needs: python3
# why: The tool waits for ever for something that does not come; the client over pipes waits two seconds and dies of it.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import threading
from mcp_stdio import serve

def fetch(key):
    if key == "cold":
        threading.Event().wait()
    return "value of " + key

serve({"fetch": fetch})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("python3", "server.py")
for key in ("warm", "cold"):
    try:
        print(agent.call("fetch", seconds=2, key=key)["content"][0]["text"])
    except TimeoutError:
        agent.server.kill()
        raise
END
python3 agent.py
