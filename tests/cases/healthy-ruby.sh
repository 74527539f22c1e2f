#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-ruby
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: ruby
# why: Files, processes, a rescued error and an optional library.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >t.rb <<'END'
require "json"
require "tempfile"
require "open3"
require "socket"
begin
  require "no_such_library"
rescue LoadError
  puts "optional"
end
Tempfile.create("case", ".") { |f| f.puts JSON.generate(a: 1); f.flush; puts File.size(f.path) }
out, status = Open3.capture2("sort -r", stdin_data: "1\n2\n")
puts out, status.success?
begin
  File.read("absent")
rescue Errno::ENOENT => e
  puts e.class
end
server = TCPServer.new("127.0.0.1", 0)
Thread.new { server.accept.puts "hi" }
puts TCPSocket.new("127.0.0.1", server.addr[1]).gets
END
ruby t.rb
