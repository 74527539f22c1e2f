#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-dnsmasq
# report: healthy
# expect: none
# outcome: ok
# needs: dnsmasq python3
# why: A resolver on the loopback answers for a name it knows and denies another.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >t.py <<'END'
import os, random, socket, struct, subprocess, time

def ask(port, name, wait):
    query = struct.pack("!HHHHHH", 7, 0x100, 1, 0, 0, 0)
    query += b"".join(bytes([len(p)]) + p for p in name.encode().split(b".")) + b"\0" + struct.pack("!HH", 1, 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.settimeout(wait)
        s.connect(("127.0.0.1", port))
        s.send(query)
        return s.recv(512)[3] & 15

port = random.randrange(20000, 30000)
server = subprocess.Popen(["dnsmasq", "-k", "-C", "/dev/null", "-R", "-h", "-p", str(port), "-a", "127.0.0.1", "-z",
                           "-x", os.path.abspath("pid"), "-A", "/known.invalid/192.0.2.7", "-S", "/invalid/", "-u", "root"],
                          stderr=subprocess.DEVNULL)
while not os.path.exists("pid"):
    assert server.poll() is None
    time.sleep(0.02)
print(ask(port, "known.invalid", 2), ask(port, "other.invalid", 2))
server.terminate()
server.wait()
END
python3 t.py
