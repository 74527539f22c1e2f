#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-wget
# report: healthy
# expect: none
# outcome: ok
# needs: wget python3
# why: A small site is mirrored from the loopback; one link is dead.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >t.py <<'END'
import functools, http.server, os, subprocess, threading
os.makedirs("www")
open("www/index.html", "w").write('<a href="a.html">a</a><a href="dead.html">d</a>')
open("www/a.html", "w").write("a")
class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory="www"))
threading.Thread(target=server.serve_forever, daemon=True).start()
done = subprocess.run(["wget", "-q", "--no-proxy", "-r", "-nH", "-P", "out", "http://127.0.0.1:%d/" % server.server_address[1]])
assert done.returncode == 8, done  # 8: a server's error answer, here for the dead link
assert os.path.exists("out/a.html")
server.shutdown()
END
HOME=$d python3 t.py
