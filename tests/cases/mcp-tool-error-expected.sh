#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-tool-error-expected
# report: healthy
# expect: none
# outcome: ok
# needs: python3
# why: The agent asks for three orders, one of which does not exist; it notes that, and ends well.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
from mcp_stdio import serve

ORDERS = {"1001": "shipped", "1002": "open"}

def get_order(order_id):
    if order_id not in ORDERS:
        raise LookupError("unknown order: " + order_id)
    return ORDERS[order_id]

serve({"get_order": get_order})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("python3", "server.py")
for order in ("1001", "7001", "1002"):
    answer = agent.call("get_order", order_id=order)
    print(order, "not found" if answer["isError"] else answer["content"][0]["text"])
agent.close()
END
python3 agent.py
