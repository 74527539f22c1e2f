#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-gpg
# report: healthy
# expect: none
# outcome: ok
# needs: gpg
# why: A key is made in a home of its own; the agent is started and ended.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
export GNUPGHOME="$d/g"
mkdir -m 700 g
gpg -q --batch --pinentry-mode loopback --passphrase '' --quick-generate-key case@example.invalid ed25519 sign 2>/dev/null
echo data >data
gpg -q --batch --pinentry-mode loopback --passphrase '' --detach-sign data
gpg -q --verify data.sig data 2>/dev/null
gpg -q --list-keys --with-colons | wc -l
gpgconf --kill all
