#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-curl-loopback
# report: healthy
# expect: none
# outcome: ok
# needs: curl python3
# why: A loopback server is asked for a file, a range, a missing file and headers.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >serve.py <<'EOF'
import functools, http.server, os, subprocess, threading

os.makedirs("www")
open("www/a", "w").write("x" * 100000)
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory="www")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = "http://127.0.0.1:%d/" % server.server_address[1]
curl = ["curl", "--noproxy", "*", "-s", "-o", "/dev/null", "-w", "%{http_code}\n"]
for words in (["a"], ["a", "-r", "0-9"], ["absent"], ["a", "-I"]):
    subprocess.run(curl + [base + words[0]] + words[1:], check=True)
server.shutdown()
EOF
python3 serve.py 2>/dev/null
