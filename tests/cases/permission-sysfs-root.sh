#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: permission-sysfs-root
# report: own
# expect: level=sandbox primitive=file-permission cause=denied
# subject: /sys/kernel/fscaps
# outcome: failed
# needs: python3
# why: sysfs asks even root for the write bit of a file.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
[ -e /sys/kernel/fscaps ] || { echo 'no /sys/kernel/fscaps here' >&2; exit 77; }
python3 -c 'open("/sys/kernel/fscaps", "w").write("1")'
