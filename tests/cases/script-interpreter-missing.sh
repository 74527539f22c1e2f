#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: script-interpreter-missing
# report: own
# expect: level=sandbox primitive=binary cause=interpreter
# subject: /opt/absent/bin/python2
# outcome: failed
# needs: bash
# why: The script is there, the interpreter of its first line is not in the image.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
printf '#!/opt/absent/bin/python2\nprint 1\n' >report.py
chmod +x report.py
bash -c ./report.py
