#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-double-utf8
# report: grebmann1/workbench#55
# expect: level=interface primitive=encoding cause=utf8
# also: level=interface primitive=payload cause=corrupted
# subject: names.csv
# outcome: failed
# needs: python3
# why: The tool takes UTF-8 for Latin-1 and encodes it once more, so every letter beyond ASCII becomes two.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import sys
from mcp_stdio import serve

def save(path, text):
    raw = text.encode("utf-8")
    with open(path, "w", encoding="utf-8") as f:
        f.write(raw.decode("latin-1"))
    return "saved"

serve({"save": save})
END
cat >agent.py <<'END'
import sys
from mcp_stdio import Client

agent = Client("python3", "server.py")
agent.text("save", path="names.csv", text="name,town\nJosé Núñez,Málaga\nZoë Müller,Köln\n")
towns = [line.split(",")[1].strip() for line in open("names.csv", encoding="utf-8")]
if "Köln" not in towns:
    sys.exit("names.csv: no Köln among %r" % towns)
END
python3 agent.py
