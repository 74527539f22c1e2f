#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-lua
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: lua5.4
# why: Modules are searched along a path, one of them in vain under a protected call.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
echo 'return { answer = 42 }' >part.lua
cat >t.lua <<'END'
print(require("part").answer)
print(pcall(require, "no_such_module") and "there" or "optional")
print((io.open("absent")) == nil)
local f = assert(io.open("data", "w"))
f:write("x"):close()
print(os.rename("data", "moved"), os.remove("moved"), (os.remove("moved")))
END
lua5.4 t.lua
