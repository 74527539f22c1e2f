#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tests-prove-one-fails
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: perl
# why: Perl's tests say what was got and what was expected; a command that is missing on purpose is none of it.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
mkdir t
cat >t/errors.t <<'EOF'
use Test::More tests => 3;
ok(!open(my $f, '<', '~/absent'), 'missing');
ok(system('/absent/case-tool') != 0, 'no tool');
is(1 + 1, 3, 'sum');
EOF
prove t
