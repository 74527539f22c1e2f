#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: words-before-exec
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: bash python3
# why: A wrapper tries a loadable built-in in vain, says so and becomes the program, which then fails by itself.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >wrapper <<'END'
#!/bin/bash
enable -f "$PWD/nothing.so" realpath
exec python3 -c 'import sys; sys.exit(3)'
END
chmod +x wrapper
./wrapper
