#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-python-pools
# report: healthy
# expect: none
# outcome: ok
# needs: python3
# why: A process pool, a thread pool, shared memory and a subprocess that is ended by its parent.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >t.py <<'END'
import concurrent.futures, multiprocessing, subprocess, tempfile
from multiprocessing import shared_memory

def square(n):
    return n * n

if __name__ == "__main__":
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        print(sum(pool.map(square, range(50))))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        print(sum(pool.map(square, range(50))))
    with multiprocessing.Pool(2) as pool:
        print(pool.map(square, [1, 2]))
    memory = shared_memory.SharedMemory(create=True, size=4096)
    memory.close()
    memory.unlink()
    child = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    child.terminate()
    print(child.wait())
    with tempfile.TemporaryFile() as f:
        f.write(b"x")
END
python3 t.py
