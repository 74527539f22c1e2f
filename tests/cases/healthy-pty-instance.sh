#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-pty-instance
# report: healthy
# expect: none
# outcome: ok
# needs: python3 unshare mount
# why: The far side of a terminal hangs up where the devpts is mounted elsewhere than at /dev/pts: no volume's error.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
mkdir pts
cat >t.py <<'END'
import errno, fcntl, os, struct, subprocess

main = os.open("pts/ptmx", os.O_RDWR | os.O_NOCTTY)
fcntl.ioctl(main, 0x40045431, struct.pack("i", 0))  # TIOCSPTLCK
number = struct.unpack("I", fcntl.ioctl(main, 0x80045430, b"\0" * 4))[0]  # TIOCGPTN
with open("pts/%d" % number, "wb") as side:
    subprocess.run(["echo", "hi"], stdout=side, check=True)
print(os.read(main, 100))
try:
    os.read(main, 100)
except OSError as error:
    assert error.errno == errno.EIO
    print("hung up")
END
unshare -m sh -c 'mount -t devpts -o newinstance,ptmxmode=0666 devpts pts && python3 t.py'
