#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-rustc
# report: healthy
# expect: none
# outcome: ok
# needs: rustc
# why: A program and its test harness are compiled and run.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:${HOME:-/root}/.cargo/bin; export PATH
command -v rustc >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
export RUSTUP_HOME="${RUSTUP_HOME:-${HOME:-/root}/.rustup}" HOME="$d"
cat >hello.rs <<'END'
fn double(n: u32) -> u32 { n * 2 }
fn main() { println!("hello {}", double(std::env::args().count() as u32)); }
#[test]
fn doubles() { assert_eq!(double(2), 4); }
END
rustc -O -o hello hello.rs
./hello
rustc --test -o tests hello.rs 2>/dev/null
./tests -q
