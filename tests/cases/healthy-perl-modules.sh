#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-perl-modules
# report: healthy
# expect: none
# outcome: ok
# needs: perl
# why: Optional modules, a fork, a socket pair, a lock and a temporary directory.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >t.pl <<'END'
use strict; use warnings;
use File::Temp qw(tempdir); use File::Path qw(make_path remove_tree); use Fcntl qw(:flock); use IO::Socket::INET;
print eval { require No::Such::Module; 1 } ? "there\n" : "optional\n";
my $dir = tempdir(CLEANUP => 1, DIR => ".");
make_path("$dir/a/b/c");
open my $f, ">", "$dir/lock" or die; flock($f, LOCK_EX | LOCK_NB) or die;
if (!fork) { open my $g, ">", "$dir/lock" or die; exit(flock($g, LOCK_EX | LOCK_NB) ? 1 : 0) }
wait; die "locked twice" if $?;
my $server = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1") or die;
if (!fork) { print { IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $server->sockport) } "hi\n"; exit 0 }
print readline $server->accept; wait;
print -e "absent" ? "there\n" : "absent\n";
unlink "absent"; remove_tree("$dir/a");
END
perl t.pl
