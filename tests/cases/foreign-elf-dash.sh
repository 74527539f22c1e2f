#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: foreign-elf-dash
# report: own
# expect: level=sandbox primitive=binary cause=architecture
# subject: tool
# outcome: failed
# needs: dash
# why: A binary is for another machine; dash reads it as a script and complains of its syntax.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/foreign-elf.sh"
foreign_elf tool
dash -c ./tool
