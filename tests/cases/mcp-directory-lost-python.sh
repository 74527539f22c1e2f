#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-directory-lost-python
# report: own
# expect: level=sandbox primitive=ephemeral cause=lost-file
# subject: memory/facts.json
# outcome: failed
# needs: python3 bwrap
# why: A memory server keeps its file on a tmpfs that goes with each sandbox: the second session has forgotten all.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
bwrap --dev-bind / / true || exit 77
mkdir memory
cat >server.py <<'END'
import json
from mcp_stdio import serve

def remember(key, value):
    with open("memory/facts.json", "w") as f:
        json.dump({key: value}, f)
    return "noted"

def recall(key):
    with open("memory/facts.json") as f:
        return json.load(f)[key]

serve({"remember": remember, "recall": recall})
END
cat >agent.py <<'END'
import os
from mcp_stdio import Client

def session():
    sandbox = ["bwrap", "--dev-bind", "/", "/", "--tmpfs", os.path.abspath("memory"), "--"]
    return Client(*sandbox, "python3", "server.py")

agent = session()
print(agent.text("remember", key="colour", value="green"))
print(agent.text("recall", key="colour"))
agent.close()
agent = session()
print(agent.text("recall", key="colour"))
END
python3 agent.py
