#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-cargo
# report: healthy
# expect: none
# outcome: ok
# needs: cargo rustc
# why: A crate with a dependency by path is built, run and tested offline.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:${HOME:-/root}/.cargo/bin; export PATH
command -v cargo >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
export RUSTUP_HOME="${RUSTUP_HOME:-${HOME:-/root}/.rustup}" HOME="$d" CARGO_HOME="$d/cargo" CARGO_NET_OFFLINE=true
cargo init -q --vcs none --lib dep
cargo init -q --vcs none --bin app
echo 'dep = { path = "../dep" }' >>app/Cargo.toml
cd app
cargo run -q
cargo test -q
cargo metadata --format-version 1 | jq -r '.packages | length'
