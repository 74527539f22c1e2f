#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-profile-build
# report: healthy
# expect: none
# outcome: ok
# needs: cc libseccomp git gcc
# why: git, gcc, tar, ls and find work under a container's seccomp profile, which refuses some of what they try.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/profile.sh"
make_profile
export HOME="$d" GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=case GIT_AUTHOR_EMAIL=case@example.invalid
export GIT_COMMITTER_NAME=case GIT_COMMITTER_EMAIL=case@example.invalid
cat >session.sh <<'EOF'
set -e
git init -q repo
cd repo
echo 'int main(void) { return 0; }' >main.c
git add .
git commit -q -m first
gcc -o main main.c
./main
tar -cf - . | tar -tf - >/dev/null
ls -la --color=always >/dev/null
test -w .
find . -print0 | xargs -0 stat >/dev/null
dmesg >/dev/null 2>&1 || true
nproc
EOF
./profile bash session.sh
