#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-tcl
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: tclsh
# why: Files, an event loop, a pipeline and a caught error.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >t.tcl <<'END'
puts [catch {open absent r} message]
puts [catch {package require no_such_package}]
set f [open data w]
puts $f 42
close $f
puts [exec sort -r data]
set server [socket -server accept -myaddr 127.0.0.1 0]
proc accept {channel host port} { puts $channel hi; close $channel }
set client [socket 127.0.0.1 [lindex [fconfigure $server -sockname] 2]]
fileevent $client readable {puts [gets $client]; set done 1}
vwait done
END
tclsh t.tcl
