#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-npm-install
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: npm node
# why: A package with a dependency is installed from tarballs, offline, and its script is run.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
export HOME="$d" npm_config_cache="$d/cache" npm_config_update_notifier=false npm_config_audit=false npm_config_fund=false
mkdir dep app
echo '{"name":"dep","version":"1.0.0","main":"i.js"}' >dep/package.json
echo 'module.exports = 7' >dep/i.js
(cd dep && npm pack --silent --pack-destination "$d")
cd app
echo '{"name":"app","version":"1.0.0","scripts":{"test":"node t.js"}}' >package.json
echo 'process.exit(require("dep") - 7)' >t.js
npm install --silent --offline ../dep-1.0.0.tgz
npm test --silent
npm ls
