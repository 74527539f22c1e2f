#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-profile-python
# report: healthy
# expect: none
# outcome: ok
# needs: cc libseccomp python3 git
# why: Python, its threads and its children work under a container's seccomp profile.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/profile.sh"
make_profile
cat >session.py <<'EOF'
import multiprocessing, os, shutil, subprocess, tempfile, threading

if __name__ == "__main__":
    worker = threading.Thread(target=print, args=("thread",))
    worker.start()
    worker.join()
    print(subprocess.run(["git", "--version"], capture_output=True, text=True).stdout)
    place = tempfile.mkdtemp()
    shutil.copy("/etc/passwd", place)
    shutil.rmtree(place)
    print(os.access("/etc/shadow", os.R_OK))
    with multiprocessing.Pool(2) as pool:
        print(pool.map(abs, [-1, 2]))
EOF
./profile python3 session.py
