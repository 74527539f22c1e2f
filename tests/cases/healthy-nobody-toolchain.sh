#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-nobody-toolchain
# report: healthy
# expect: none
# outcome: ok
# needs: setpriv gcc git python3 node sqlite3
# why: A user without a home or a name compiles, commits and runs; what lies in root's home is probed in vain.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
chmod 0711 "$d"
mkdir -m 0700 w
chown 48217:48217 w
cat >work.sh <<'END'
set -e
cd w
export GIT_AUTHOR_NAME=case GIT_AUTHOR_EMAIL=case@example.invalid
export GIT_COMMITTER_NAME=case GIT_COMMITTER_EMAIL=case@example.invalid
export HOME=/root TMPDIR="$PWD"
echo 'int main(void) { return 0; }' >a.c
gcc -o a a.c
./a
python3 -c 'import tempfile, getpass, os; print(os.getuid(), tempfile.gettempdir() != "")'
node -e 'console.log(process.getuid())'
HOME=$PWD git init -q -b main
HOME=$PWD git add a.c
HOME=$PWD git commit -q -m 1
HOME=$PWD git status --short | wc -l
bash -lc 'echo login' 2>/dev/null
ls -la / >/dev/null
cat /root/.profile 2>/dev/null || echo 'not ours'
find / -maxdepth 1 -readable >/dev/null
sqlite3 t.db 'CREATE TABLE t (a)'
END
setpriv --reuid=48217 --regid=48217 --clear-groups --no-new-privs sh work.sh
