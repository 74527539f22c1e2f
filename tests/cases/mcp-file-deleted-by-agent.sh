#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-file-deleted-by-agent
# report: healthy
# expect: none
# outcome: ok
# needs: python3
# why: The agent makes a file, has it removed, and asks whether it is gone; the refusal is what it wants.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import os
from mcp_stdio import serve

def write_file(path, content):
    with open(path, "w") as f:
        f.write(content)
    return "ok"

def read_file(path):
    with open(path) as f:
        return f.read()

def delete_file(path):
    os.unlink(path)
    return "deleted"

serve({"write_file": write_file, "read_file": read_file, "delete_file": delete_file})
END
cat >agent.py <<'END'
import sys
from mcp_stdio import Client

agent = Client("python3", "server.py")
agent.text("write_file", path="draft.md", content="To be thrown away.\n")
agent.text("delete_file", path="draft.md")
answer = agent.call("read_file", path="draft.md")
agent.close()
sys.exit(not answer["isError"])
END
python3 agent.py
