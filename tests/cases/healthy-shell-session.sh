#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-shell-session
# report: healthy
# expect: none
# outcome: ok
# needs: bash git curl procps
# why: An agent's shell session full of probes, tests and commands that may fail.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >session.sh <<'EOF'
ls /absent 2>/dev/null || true
cat missing.txt || true
grep -r TODO . || true
which rg fd bat 2>/dev/null || true
command -v docker-compose || echo none
[ -f package.json ] || echo 'no package'
python --version 2>/dev/null || python3 --version
cd nowhere 2>/dev/null || mkdir nowhere && cd nowhere
test -w / || true
rm absent 2>/dev/null
false || :
git status 2>/dev/null || git init -q .
for i in 1 2 3; do [ -e f$i ] || touch f$i; done
rmdir . 2>/dev/null || true
pgrep -f nobody-is-called-like-this-case || true
timeout 0.3 sleep 5 || true
case-command --help || true
curl --noproxy '*' -s -m 1 http://127.0.0.1:9/ || echo offline
echo done
EOF
HOME=$d bash session.sh
