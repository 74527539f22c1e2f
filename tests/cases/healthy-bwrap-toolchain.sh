#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-bwrap-toolchain
# report: healthy
# expect: none
# outcome: ok
# needs: bwrap gcc make git python3 node perl sqlite3 tar zip
# why: Tools of every day in a sandbox without a network, with a read-only root and a home that can't be written.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >work.sh <<'END'
set -e
cd "$(mktemp -d)"
export GIT_AUTHOR_NAME=case GIT_AUTHOR_EMAIL=case@example.invalid
export GIT_COMMITTER_NAME=case GIT_COMMITTER_EMAIL=case@example.invalid
printf 'hello: hello.c\n\tcc -o $@ $<\n' >Makefile
echo 'int main(void) { return 0; }' >hello.c
make -s
./hello
git init -q -b main
git add hello.c
git commit -q -m 1
git log --oneline | wc -l
python3 -m venv --without-pip v
v/bin/python -c 'import ssl, sqlite3, json; print(json.dumps([1]))'
node -e 'require("fs").writeFileSync("n", "1"); console.log(require("os").cpus().length > 0)'
perl -MFile::Temp -e 'print File::Temp->new, "\n"' >/dev/null
sqlite3 t.db 'CREATE TABLE t (a); INSERT INTO t VALUES (1); SELECT a FROM t'
tar -czf t.tgz hello.c
zip -q t.zip hello.c
END
bwrap --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --ro-bind "$d/work.sh" /tmp/work.sh --unshare-all --die-with-parent \
    sh /tmp/work.sh
