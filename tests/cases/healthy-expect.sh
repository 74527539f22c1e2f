#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-expect
# report: healthy
# expect: none
# outcome: ok
# needs: expect
# why: A dialogue with a program in a terminal.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >t.exp <<'END'
log_user 0
set timeout 5
spawn sh -c {printf "name? "; read name; echo "hello $name"}
expect "name? " { send "case\r" }
expect "hello case" { puts heard }
expect eof
END
expect t.exp
