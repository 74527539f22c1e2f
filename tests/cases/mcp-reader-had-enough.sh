#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-reader-had-enough
# report: healthy
# expect: none
# outcome: ok
# needs: python3 coreutils
# why: A shell asks three things at once and takes only the first answer; the server's later ones meet a broken pipe.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import json
import sys
import time
from mcp_stdio import reply

for line in sys.stdin:
    answer = reply(json.loads(line), {"version": lambda: "1.4"})
    time.sleep(0.2)
    try:
        print(json.dumps(answer), flush=True)
    except BrokenPipeError:
        sys.stdout = None
        break
END
request() {
    printf '{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"version","arguments":{}}}\n' "$1"
}
{ request 1; request 2; request 3; } | python3 server.py | head -n 1 | grep '"1.4"'
