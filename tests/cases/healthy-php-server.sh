#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-php-server
# report: healthy
# expect: none
# outcome: ok
# needs: php curl
# why: The built-in server answers on the loopback and is ended by its client.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
mkdir www
echo '<?php echo 6 * 7;' >www/index.php
: >server.log
php -S 127.0.0.1:0 -t www >server.log 2>&1 &
server=$!
port=
n=0
while [ -z "$port" ] && [ $((n += 1)) -le 100 ]; do
    port=$(sed -n 's|.*(http://127.0.0.1:\([0-9]*\)).*|\1|p' server.log)
    [ -n "$port" ] || sleep 0.05
done
curl --noproxy '*' -s "http://127.0.0.1:$port/"
curl --noproxy '*' -s -o /dev/null -w '%{http_code}\n' "http://127.0.0.1:$port/absent.txt"
kill "$server"
wait "$server" || true
