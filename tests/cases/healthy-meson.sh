#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-meson
# report: healthy
# expect: none
# outcome: ok
# needs: meson ninja gcc
# why: A project is set up, built and tested by Meson.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
cat >meson.build <<'END'
project('hello', 'c')
cc = meson.get_compiler('c')
cc.has_header('no_such_header.h')
cc.has_function('no_such_function')
dependency('no-such-library', required: false)
exe = executable('hello', 'hello.c')
test('hello', exe)
END
echo 'int main(void) { return 0; }' >hello.c
meson setup build >log
meson test -C build >>log
