#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-go
# report: healthy
# expect: none
# outcome: ok
# needs: go
# why: A module is built, tested and vetted without a network.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
command -v go >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
export HOME="$d" GOPATH="$d/go" GOCACHE="$d/cache" GOFLAGS='-mod=mod -buildvcs=false' GOPROXY=off GOTOOLCHAIN=local CGO_ENABLED=0
go mod init case.invalid/hello 2>/dev/null
printf 'package main\n\nfunc main() { println(double(2)) }\n\nfunc double(n int) int { return n * 2 }\n' >main.go
printf 'package main\n\nfunc init() {\n\tif double(2) != 4 {\n\t\tpanic("wrong")\n\t}\n}\n' >check.go
go build -o hello .
./hello 2>&1
gofmt -l .
