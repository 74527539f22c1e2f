# SPDX-License-Identifier: GPL-2.0-only
# A package goes through npm: packed, installed from the tarball without a network, and run.
set -eu
n=$1
mkdir -p lib app
cat >lib/package.json <<EOF
{ "name": "greet", "version": "1.$n.0", "main": "index.js", "bin": { "greet": "cli.js" } }
EOF
echo 'module.exports = (who) => `hello ${who}`;' >lib/index.js
printf '#!/usr/bin/env node\nconsole.log(require("./index.js")(process.argv[2]));\n' >lib/cli.js
(cd lib && npm pack --silent --pack-destination ..) >packed
[ "$(cat packed)" = "greet-1.$n.0.tgz" ]
cd app
echo '{ "name": "app", "version": "1.0.0", "private": true }' >package.json
npm install --offline --no-audit --no-fund --silent "../greet-1.$n.0.tgz"
[ "$(./node_modules/.bin/greet world)" = 'hello world' ]
[ "$(node -p 'require("greet/package.json").version')" = "1.$n.0" ]
echo "npm: greet 1.$n.0 installed"
