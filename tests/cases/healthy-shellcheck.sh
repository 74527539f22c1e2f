#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-shellcheck
# report: healthy
# expect: none
# outcome: ok
# needs: shellcheck
# why: A script is checked and found wanting, as expected.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
printf '#!/bin/sh\necho $1\n' >s.sh
shellcheck s.sh >/dev/null || echo 'a remark'
