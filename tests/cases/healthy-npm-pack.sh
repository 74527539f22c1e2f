#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-npm-pack
# report: healthy
# expect: none
# outcome: ok
# needs: npm node
# why: A package is made and packed without a network.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
export HOME="$d" npm_config_cache="$d/cache" npm_config_update_notifier=false
mkdir package
cd package || exit 1
echo '{"name":"case","version":"1.0.0","scripts":{"hello":"echo hello"}}' >package.json
echo 'module.exports = 1;' >index.js
npm pack --silent && ls ./*.tgz
