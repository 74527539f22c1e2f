#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-perl
# report: healthy
# expect: none
# outcome: ok
# needs: perl
# why: Modules are searched in several directories, an optional one in vain.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >words.pl <<'EOF'
use File::Temp qw(tempfile);
use JSON::PP;
use POSIX;
my ($handle, $name) = tempfile(UNLINK => 1);
print $handle "x";
print encode_json({a => [1, 2]}), "\n";
eval { require Not::There };
print "without it\n" if $@;
system("true") == 0 or die;
EOF
perl words.pl
