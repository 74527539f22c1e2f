#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-ssh-keys
# report: healthy
# expect: none
# outcome: ok
# needs: ssh-keygen ssh-agent ssh-add
# why: Keys are made, signed with and lent to an agent.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
export HOME="$d"
ssh-keygen -q -t ed25519 -N '' -f key
ssh-keygen -l -f key.pub
echo data >data
ssh-keygen -q -Y sign -f key -n case data 2>/dev/null
ssh-keygen -q -R case.invalid -f known 2>/dev/null || echo 'no such host'
ssh-agent sh -c 'ssh-add -q key && ssh-add -l' 2>&1
ssh -G case.invalid 2>&1 | grep -c port
