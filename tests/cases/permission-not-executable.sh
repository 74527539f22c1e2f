#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: permission-not-executable
# report: own
# expect: level=sandbox primitive=file-permission cause=denied
# subject: run.sh
# outcome: failed
# needs: sh
# why: A script that lost its x bit in an upload cannot be executed, not even by root.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
printf '#!/bin/sh\necho hi\n' >run.sh
chmod 644 run.sh
./run.sh
