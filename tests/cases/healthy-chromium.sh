#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-chromium
# report: healthy
# expect: none
# outcome: ok
# needs: chromium
# why: A headless browser probes devices, sockets and directories without end and dumps its page.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
echo '<h1>hello</h1><script>document.title = 1 + 1</script>' >page.html
HOME=$d chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --user-data-dir="$d/profile" --dump-dom "file://$d/page.html" 2>log | grep hello
