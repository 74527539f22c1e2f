#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-guesses-then-own-bug
# report: own
# expect: level=workload primitive=exit cause=non-zero
# subject: python3
# outcome: failed
# needs: python3
# why: Several wrong guesses at a file's name, then the right one; the agent stumbles over what stands there.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
echo one >numbers.txt
cat >server.py <<'END'
from mcp_stdio import serve

serve({"read_file": lambda path: open(path).read()})
END
cat >agent.py <<'END'
from mcp_stdio import Client, Refused

agent = Client("python3", "server.py")
for name in ("number.txt", "nums.txt", "digits.txt", "numbers.txt"):
    try:
        text = agent.text("read_file", path=name)
    except Refused as e:
        print(e)
print(int(text))
END
python3 agent.py
