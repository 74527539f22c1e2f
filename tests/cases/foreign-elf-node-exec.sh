#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: foreign-elf-node-exec
# report: own
# expect: level=sandbox primitive=binary cause=architecture
# subject: esbuild
# outcome: failed
# needs: node
# why: A binary is for another machine: execFileSync throws what execve said.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/foreign-elf.sh"
foreign_elf esbuild
node -e 'require("child_process").execFileSync("./esbuild")'
