#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-cpu-throttled
# report: own
# expect: level=sandbox primitive=cpu cause=throttled
# outcome: failed
# needs: python3
# why: The server runs at five per cent of a CPU: a call that takes a moment elsewhere misses the client's time limit.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
. "$here/lib/limit.sh"
cat >server.py <<'END'
import os
from mcp_stdio import serve

def primes(limit):
    return str(sum(all(n % d for d in range(2, int(n ** 0.5) + 1)) for n in range(2, limit)))

serve({"primes": primes, "pid": lambda: str(os.getpid())})
END
cat >server.sh <<END
. "$here/lib/limit.sh"
in_limited_cgroup cpu=5 -- python3 server.py
END
cat >agent.py <<'END'
import os
import signal
from mcp_stdio import Client

agent = Client("sh", "server.sh")
pid = int(agent.text("pid"))
print(agent.text("primes", limit=10))
try:
    print(agent.call("primes", seconds=4, limit=200000)["content"][0]["text"])
except TimeoutError:
    os.kill(pid, signal.SIGKILL)
    agent.close()
    raise
END
python3 agent.py
