#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-normalized
# report: own
# expect: level=interface primitive=encoding cause=normalization
# subject: words.txt
# outcome: failed
# needs: python3
# why: The tool brings its text into another Unicode normal form, so a search for the agent's own bytes finds nothing.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import unicodedata
from mcp_stdio import serve

def write_file(path, content):
    with open(path, "w", encoding="utf-8") as f:
        f.write(unicodedata.normalize("NFD", content))
    return "ok"

serve({"write_file": write_file})
END
cat >agent.py <<'END'
import subprocess
import sys
from mcp_stdio import Client

agent = Client("python3", "server.py")
agent.text("write_file", path="words.txt", content="Vélo\nCafé crème\nNiño\n")
sys.exit(subprocess.call(["grep", "-q", "Café", "words.txt"]))
END
python3 agent.py
