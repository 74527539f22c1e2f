#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-read-only-fallback
# report: own
# expect: none
# subject: cache/page.html
# outcome: ok
# needs: python3 bwrap
# why: The tool's cache is mounted read-only; it keeps its page in another place and answers.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
bwrap --dev-bind / / true || exit 77
mkdir cache spare
cat >server.py <<'END'
from mcp_stdio import serve

def store(name, page):
    for place in ("cache/", "spare/"):
        try:
            with open(place + name, "w") as f:
                f.write(page)
            return place + name
        except OSError:
            pass
    raise OSError("nowhere to write")

serve({"store": store})
END
cat >agent.py <<'END'
import os
from mcp_stdio import Client

cache = os.path.abspath("cache")
agent = Client("bwrap", "--dev-bind", "/", "/", "--ro-bind", cache, cache, "--", "python3", "server.py")
print(agent.text("store", name="page.html", page="<h1>hello</h1>"))
agent.close()
END
python3 agent.py
