#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: cpu-throttled-subprocess
# report: own
# expect: level=sandbox primitive=cpu cause=throttled
# subject: /limited-case
# outcome: failed
# needs: python3
# why: A harness gives its helper a second; the cgroup of both gets a twentieth of a CPU.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
. "$(dirname "$0")/lib/limit.sh"
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
in_limited_cgroup cpu=5 -- python3 -c '
import subprocess
subprocess.run(["python3", "-c", "for i in range(10**8): pass"], timeout=1.2, check=True)' || exit 1
