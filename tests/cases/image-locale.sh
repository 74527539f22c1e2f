#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: image-locale
# report: own
# expect: level=sandbox primitive=image-data cause=missing
# outcome: failed
# needs: python3 locale
# why: The program insists on a locale that the image does not have.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
if locale -a 2>/dev/null | grep -qi '^de_AT'; then
    echo 'this image has the locale' >&2
    exit 77
fi
python3 -c 'import locale; locale.setlocale(locale.LC_ALL, "de_AT.UTF-8")'
