#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: module-directory-shut
# report: own
# expect: level=sandbox primitive=file-permission cause=denied
# subject: site
# outcome: failed
# needs: python3 setpriv
# why: Python passes over a directory of modules that it may not list, and says that there is no such module.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
chmod 755 "$d"
mkdir site
echo 'VALUE = 1' >site/caseconfig.py
chmod 711 site
PYTHONPATH=$d/site setpriv --reuid=65534 --clear-groups python3 -c 'import caseconfig'
