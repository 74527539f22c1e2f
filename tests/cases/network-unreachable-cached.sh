#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: network-unreachable-cached
# report: own
# expect: none
# outcome: ok
# needs: python3 bwrap
# why: There is no route, so a bundled copy is used.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / --unshare-net true || exit 77
echo '{"cached": true}' >schema.json
cat >validate.py <<'EOF'
import json, urllib.request

opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
try:
    schema = opener.open("http://10.11.12.13/schema.json", timeout=2).read()
except OSError:
    schema = open("schema.json").read()
print(json.loads(schema))
EOF
bwrap --dev-bind / / --unshare-net python3 validate.py
