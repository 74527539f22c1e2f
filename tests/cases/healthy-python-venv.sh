#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-python-venv
# report: healthy
# expect: none
# outcome: ok
# needs: python3
# why: A virtual environment is made and used.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
python3 -m venv --without-pip v && v/bin/python -c 'import sys, json, ssl, sqlite3; print(sys.prefix)'
