#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-error-then-own-bug
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3
# why: An isError was expected and passed over; what ends the agent is a bug of its own, many calls later.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
from mcp_stdio import serve

def lookup(word):
    words = {"one": "1", "two": "2", "three": "3"}
    if word not in words:
        raise LookupError("no entry for " + word)
    return words[word]

serve({"lookup": lookup})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("python3", "server.py")
total = []
for word in ("one", "ten", "two", "three"):
    answer = agent.call("lookup", word=word)
    if not answer["isError"]:
        total.append(answer["content"][0]["text"])
agent.close()
print(sum(total))
END
python3 agent.py
