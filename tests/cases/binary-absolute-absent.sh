#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: binary-absolute-absent
# report: own
# expect: level=sandbox primitive=binary cause=not-found
# subject: /usr/local/bin/advserver-absent
# outcome: failed
# needs: sh
# why: An absolute program of the image that is absent.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
sh -c 'exec /usr/local/bin/advserver-absent --port 1'
