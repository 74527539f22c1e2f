#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-perl-latin1
# report: own
# expect: level=interface primitive=encoding cause=utf8
# also: level=interface primitive=payload cause=corrupted
# subject: towns.txt
# outcome: failed
# needs: python3
# why: Perl prints decoded text without a layer: Latin-1 on disk
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" "$here/lib/picture.py" . || exit 77
cat >server.pl <<'XEND'
use strict; use warnings; use JSON::PP; $| = 1;
while (my $line = <STDIN>) {
    my $m = decode_json($line); next unless exists $m->{id};
    my $r = {};
    if ($m->{method} eq 'initialize') { $r = {protocolVersion => '2025-06-18', capabilities => {}, serverInfo => {name => 'perl', version => '1'}}; }
    elsif ($m->{method} eq 'tools/call') {
        my $a = $m->{params}{arguments};
        if ($m->{params}{name} eq 'write_file') {
            open(my $f, '>', $a->{path}) or die; print $f $a->{content}; close $f;
            $r = {content => [{type => 'text', text => 'ok'}]};
        } elsif ($m->{params}{name} eq 'read_file') {
            open(my $f, '<', $a->{path}) or die; local $/; my $t = <$f>;
            $r = {content => [{type => 'text', text => $t}]};
        } else { die "no such handler: $m->{params}{name}\n"; }
    }
    print encode_json({jsonrpc => '2.0', id => $m->{id}, result => $r}), "\n";
}
XEND
cat >agent.py <<'XEND'
import sys, json, os, base64
from mcp_stdio import Client, Refused

a = Client("perl", "server.pl")
a.text("write_file", path="towns.txt", content="Málaga\nKöln\n")
print(open("towns.txt", encoding="utf-8").read())
XEND
python3 agent.py
