#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: ephemeral-bash-cd
# report: own
# expect: level=sandbox primitive=ephemeral cause=lost-directory
# subject: /tmp/advwork/src
# outcome: failed
# needs: bwrap bash
# why: A later sandbox has a /tmp of its own: cd by bash names the directory that the earlier one made.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
turn() { bwrap --ro-bind / / --dev /dev --tmpfs /tmp --chdir /tmp "$@"; }
turn sh -c 'mkdir -p /tmp/advwork/src && echo a >/tmp/advwork/src/a' || exit 77
turn bash -c 'cd /tmp/advwork/src && cat a'
