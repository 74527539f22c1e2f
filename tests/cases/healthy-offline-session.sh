#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-offline-session
# report: healthy
# expect: none
# outcome: ok
# needs: bwrap bash git node npm curl
# why: An agent's session without network on a read-only root: much fails, and all of it is provided for.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / --unshare-net true || exit 77
cat >session.sh <<'EOF'
curl -sS -m 2 https://example.test/ || echo offline
git ls-remote https://example.test/x.git || true
getent hosts example.test || true
touch /usr/x || true
cat /etc/shadow || true
mkdir /opt/new 2>/dev/null || true
case-docker ps || true
mount -t tmpfs x /mnt 2>/dev/null || true
python3 -c 'import case_requests' || true
npm --version
node -e 'fetch("http://10.1.1.1/").catch((e) => console.log("no network"))'
if ! dpkg -i absent.deb 2>/dev/null; then echo 'nothing installed'; fi
timeout 0.3 cat </dev/zero >/dev/null || true
echo finished
EOF
HOME=/tmp bwrap --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --dir /tmp/work --ro-bind "$d/session.sh" /tmp/session.sh \
    --unshare-all bash /tmp/session.sh
