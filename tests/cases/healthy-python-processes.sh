#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-python-processes
# report: healthy
# expect: none
# outcome: ok
# needs: python3
# why: Processes by two methods, a manager and shared memory.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >processes.py <<'EOF'
import multiprocessing
from multiprocessing import shared_memory

def square(queue, i):
    queue.put(i * i)

if __name__ == "__main__":
    for method in ("fork", "spawn"):
        context = multiprocessing.get_context(method)
        queue = context.Queue()
        workers = [context.Process(target=square, args=(queue, i)) for i in range(3)]
        for worker in workers:
            worker.start()
        print(sorted(queue.get() for worker in workers))
        for worker in workers:
            worker.join()
    with multiprocessing.Manager() as manager:
        manager.dict()["a"] = 1
    segment = shared_memory.SharedMemory(create=True, size=100)
    segment.close()
    segment.unlink()
EOF
python3 processes.py
