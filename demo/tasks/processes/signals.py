# SPDX-License-Identifier: GPL-2.0-only
"""Signals between processes: counted, blocked, fatal, and the one that only asks."""
import os
import signal
import subprocess
import sys

count = 0


def on_signal(number, frame):
    global count
    count += 1


signal.signal(signal.SIGUSR1, on_signal)
for i in range(20 + int(sys.argv[1])):
    os.kill(os.getpid(), signal.SIGUSR1)
assert count == 20 + int(sys.argv[1])

signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
os.kill(os.getpid(), signal.SIGUSR2)
assert signal.sigwait([signal.SIGUSR2]) == signal.SIGUSR2
signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR2])

trap = subprocess.Popen(["sh", "-c", "trap 'exit 5' TERM; echo ready; while :; do sleep 0.1; done"],
                        stdout=subprocess.PIPE)
assert trap.stdout.readline() == b"ready\n"
os.kill(trap.pid, 0)  # is it alive?
trap.send_signal(signal.SIGTERM)
assert trap.wait() == 5
try:
    os.kill(trap.pid, 0)
    raise SystemExit("still there")
except ProcessLookupError:
    pass
print("signals:", count, "counted, one waited for, one trapped")
