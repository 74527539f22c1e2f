#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-log-on-stdout
# report: azizmazrou/ews-mcp#133
# expect: level=interface primitive=protocol cause=not-json
# outcome: failed
# needs: python3
# why: The server logs to its standard output, which is the channel; a client that takes each line for JSON dies of it.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import logging
import sys
from mcp_stdio import serve

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(asctime)s [%(levelname)s] %(message)s")

def search(query):
    logging.info("searching for %s", query)
    return "2 results"

serve({"search": search})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("python3", "server.py")
print(agent.text("search", query="invoices"))
END
python3 agent.py
