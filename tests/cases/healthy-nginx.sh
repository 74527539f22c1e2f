#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-nginx
# report: healthy
# expect: none
# outcome: ok
# needs: nginx curl
# why: A server is started, asked, told to read its configuration again and stopped.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
command -v nginx >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
chmod 0755 "$d"
mkdir www tmp
echo hello >www/index.html
cat >n.conf <<END
daemon on;
pid $d/pid;
error_log $d/error.log;
events {}
http {
    access_log off;
    client_body_temp_path tmp;
    proxy_temp_path tmp;
    fastcgi_temp_path tmp;
    uwsgi_temp_path tmp;
    scgi_temp_path tmp;
    server { listen unix:$d/sock; root $d/www; }
}
END
nginx -p "$d" -e "$d/error.log" -c n.conf
curl -s --unix-socket sock http://case/
curl -s -o /dev/null -w '%{http_code}\n' --unix-socket sock http://case/absent
nginx -p "$d" -e "$d/error.log" -c n.conf -s reload
curl -s --unix-socket sock http://case/
server=$(cat pid)
nginx -p "$d" -e "$d/error.log" -c n.conf -s quit
n=0
while [ -e "/proc/$server" ] && [ $((n += 1)) -le 100 ]; do sleep 0.05; done
