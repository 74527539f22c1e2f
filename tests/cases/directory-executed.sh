#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: directory-executed
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3
# why: To execute a directory is EACCES, though no mode bit forbids anything.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
mkdir tool
python3 -c 'import subprocess; subprocess.run(["./tool"])'
