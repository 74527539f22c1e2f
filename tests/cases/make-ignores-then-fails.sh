#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: make-ignores-then-fails
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: make setpriv
# why: make ignores the refusal in one recipe, then another recipe fails by itself.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
printf 'all: a b\na:\n\t-cat /etc/shadow\nb:\n\t@sh -c "exit 5"\n' >Makefile
setpriv --reuid=48217 --regid=48217 --clear-groups make
