#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: masked-certificates-hidden
# report: own
# expect: level=sandbox primitive=masked cause=file
# subject: /etc/ssl
# outcome: failed
# needs: bwrap cat
# why: The sandbox lays an empty tmpfs over /etc/ssl, and the certificates are there only outside.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
[ -e /etc/ssl/openssl.cnf ] || exit 77
bwrap --ro-bind / / --dev /dev --tmpfs /etc/ssl cat /etc/ssl/openssl.cnf
