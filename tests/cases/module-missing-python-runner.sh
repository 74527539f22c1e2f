#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: module-missing-python-runner
# report: own
# expect: level=sandbox primitive=library cause=module
# subject: case_pytest
# outcome: failed
# needs: python3
# why: python3 -m of a module that is not installed.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
python3 -m case_pytest
