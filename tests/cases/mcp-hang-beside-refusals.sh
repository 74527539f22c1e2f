#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-hang-beside-refusals
# report: own
# expect: level=interface primitive=deadline cause=no-response
# subject: index
# outcome: failed
# needs: python3 bwrap
# why: A thread of the server is refused its heartbeat all the time; the call that hangs waits for something else.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
mkdir out
echo '{}' >report.json
bwrap --dev-bind / / true || exit 77
cat >server.py <<'END'
import os
import threading
import time
from mcp_stdio import serve

def beat():
    while True:
        try:
            os.close(os.open("out/heartbeat", os.O_CREAT | os.O_WRONLY))
        except OSError:
            time.sleep(0.2)

threading.Thread(target=beat, daemon=True).start()
time.sleep(0.3)
serve({"index": lambda path: threading.Event().wait(), "version": lambda: "1"})
END
cat >agent.py <<'END'
import os
from mcp_stdio import Client

out = os.path.abspath("out")
agent = Client("bwrap", "--dev-bind", "/", "/", "--ro-bind", out, out, "--", "python3", "server.py")
agent.text("version")
agent.call("index", seconds=2, path=".")
END
python3 agent.py
