#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-git-nobody
# report: healthy
# expect: none
# outcome: ok
# needs: git python3 setpriv
# why: An ordinary user works with git and Python in a directory of its own.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
mkdir own && chown 48217:48217 own || exit 77
cd own || exit 77
export HOME="$PWD" GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=case GIT_AUTHOR_EMAIL=case@example.invalid
export GIT_COMMITTER_NAME=case GIT_COMMITTER_EMAIL=case@example.invalid
cat >session.sh <<'EOF'
set -e
git init -q repo
cd repo
echo 1 >f
git add f
git commit -q -m first
git log --oneline
python3 -c 'import ctypes, http.client, tempfile; print(tempfile.mkdtemp(dir="."))'
EOF
setpriv --reuid=48217 --regid=48217 --clear-groups sh session.sh
