#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-truncated-write
# report: google-gemini/gemini-cli#11144
# expect: level=interface primitive=payload cause=truncated
# subject: design.md
# outcome: failed
# needs: python3
# why: A tool writes what fits into its buffer of 64 KiB and reports success; the rest of the document is gone.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
from mcp_stdio import serve

BUFFER = 65536

def write_file(path, content):
    with open(path, "wb") as f:
        f.write(content.encode()[:BUFFER])
    return "Successfully wrote " + path

def read_file(path):
    with open(path, "rb") as f:
        return f.read().decode()

serve({"write_file": write_file, "read_file": read_file})
END
cat >agent.py <<'END'
import sys
from mcp_stdio import Client

agent = Client("python3", "server.py")
design = "".join("%4d. A paragraph of the design.\n" % n for n in range(3000))
agent.text("write_file", path="design.md", content=design)
returned = agent.text("read_file", path="design.md")
agent.close()
if not returned.endswith("2999. A paragraph of the design.\n"):
    sys.exit("design.md ends after %d of %d characters" % (len(returned), len(design)))
END
python3 agent.py
