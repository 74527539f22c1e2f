#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: identity-git-ownership
# report: own
# expect: level=sandbox primitive=identity cause=ownership
# subject: repo
# outcome: failed
# needs: git
# why: git refuses a repository of another owner, though nothing denied access.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
export HOME="$d" GIT_CONFIG_NOSYSTEM=1
git init -q repo && chown -R 48217 repo || exit 77
git -C repo status
