#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-tool-error
# report: own
# expect: level=interface primitive=protocol cause=tool-error
# subject: get_order
# outcome: failed
# needs: python3
# why: The tool says no on its own account: isError, no code, and nothing that the kernel refused.
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
print(agent.text("get_order", order_id="1001"))
print(agent.text("get_order", order_id="7001"))
END
python3 agent.py
