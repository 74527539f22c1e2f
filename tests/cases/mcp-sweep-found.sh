#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-sweep-found
# report: own
# expect: level=interface primitive=protocol cause=tool-error
# outcome: failed
# needs: python3
# why: A program is found in the last place of PATH and says no on its own account, by its own name: no program is missing.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
mkdir bin1 bin2 bin3
printf '#!/bin/sh\necho "ledger-check: the books do not balance" >&2\nexit 1\n' >bin3/ledger-check
chmod 755 bin3/ledger-check
cat >server.py <<'EOF'
import subprocess
from mcp_stdio import serve

def check(book):
    p = subprocess.run(["ledger-check", book], capture_output=True, text=True)
    if p.returncode:
        raise RuntimeError(p.stderr)
    return p.stdout

serve({"check": check})
EOF
cat >agent.py <<'EOF'
from mcp_stdio import Client

print(Client("python3", "server.py").text("check", book="2026"))
EOF
PATH=$d/bin1:$d/bin2:$d/bin3:$PATH python3 agent.py
