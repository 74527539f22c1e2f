#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-nano
# report: healthy
# expect: none
# outcome: ok
# needs: nano expect
# why: An editor in a terminal of its own writes a file.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
export HOME="$d" TERM=xterm
echo text >f
cat >t.exp <<'END'
log_user 0
set timeout 20
spawn nano -I f
expect "GNU nano" { send "hello \x0f\r" }
expect "Wrote" { send "\x18" }
expect eof
exit [lindex [wait] 3]
END
expect t.exp && grep hello f
