#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: foreign-elf-node-spawn
# report: own
# expect: level=sandbox primitive=binary cause=architecture
# subject: tool
# outcome: failed
# needs: node
# why: A binary is for another machine, and nobody handles the error event of its start.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/foreign-elf.sh"
foreign_elf tool
node -e "require('child_process').spawn('./tool', { stdio: 'inherit' }).on('exit', (code) => process.exit(code))"
