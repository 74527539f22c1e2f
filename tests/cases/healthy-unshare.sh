#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-unshare
# report: healthy
# expect: none
# outcome: ok
# needs: unshare mount
# why: A user namespace with mounts and a /proc of its own.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
unshare -r true || exit 77
cat >session.sh <<'EOF'
mount -t tmpfs none /mnt && echo x >/mnt/a && ls /mnt || exit 1
ps 2>/dev/null | wc -l
EOF
unshare -rmpf --mount-proc sh session.sh
