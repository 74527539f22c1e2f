#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-apt-simulate
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: apt-get apt-cache
# why: The package manager simulates with lists and directories of its own; what it asks for is not to be had.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
mkdir -p state/lists/partial cache/archives/partial etc
apt() { "$@" -o Dir::State="$d/state" -o Dir::Cache="$d/cache" -o Dir::Etc="$d/etc" -o APT::Sandbox::User=root \
    -o Dir::State::status=/var/lib/dpkg/status; }
apt apt-get update
apt apt-cache policy bash | head -n 3
apt apt-get -s install bash | tail -n 1
apt apt-get -s remove grep | tail -n 1
apt apt-get -s install no-such-package 2>/dev/null || echo 'not to be had'
