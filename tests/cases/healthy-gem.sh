#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-gem
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: ruby gem
# why: A gem is built, installed into a home of its own and required.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
export HOME="$d" GEM_HOME="$d/gems" GEM_PATH="$d/gems"
mkdir lib
echo 'module CaseGem; ANSWER = 42; end' >lib/casegem.rb
cat >casegem.gemspec <<'END'
Gem::Specification.new do |s|
  s.name = "casegem"
  s.version = "1.0.0"
  s.summary = "case"
  s.authors = ["case"]
  s.files = ["lib/casegem.rb"]
end
END
gem build -q casegem.gemspec >log 2>&1
gem install -q --local --no-document casegem-1.0.0.gem >>log
ruby -e 'require "casegem"; puts CaseGem::ANSWER'
gem list --local | head -n 3
