#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: busy-cgroup-removed
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: unshare mount rmdir find
# why: A cgroup that has a child can't be removed: the program's own order, and nobody's mount.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
mkdir groups
unshare -m sh -c 'mount -t cgroup2 none groups' || exit 77
unshare -m sh -c 'mount -t cgroup2 none groups && mkdir "groups/case-$$" "groups/case-$$/child" || exit 77
	rmdir "groups/case-$$"
	status=$?
	find "groups/case-$$" -depth -type d -delete
	exit $status'
