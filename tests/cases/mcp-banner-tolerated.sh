#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-banner-tolerated
# report: own
# expect: none
# outcome: ok
# needs: python3
# why: The server greets on stdout before its first answer, and the client passes over what is no JSON.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >server.py <<'END'
import json
import sys

print('Starting the weather server on stdio ...', flush=True)
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': {}}), flush=True)
END
cat >agent.py <<'END'
import json
import subprocess
import sys

server = subprocess.Popen([sys.executable, 'server.py'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
server.stdin.write(json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': 'initialize', 'params': {}}) + '\n')
server.stdin.flush()
line = server.stdout.readline()
while not line.startswith('{'):
    line = server.stdout.readline()
json.loads(line)
server.stdin.close()
sys.exit(server.wait())
END
python3 agent.py
