# SPDX-License-Identifier: GPL-2.0-only
# lib/outside.sh - sourced by cases:  outside COMMAND... & pid=$!
#
# Runs the command outside of the task, in the topmost cgroup that can be reached, as another service of the same host
# would run. Ends with 77 where that cannot be done. To be started in the background; the caller ends it.

outside() {
    _out_mnt=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
    [ -n "$_out_mnt" ] || exit 77
    exec sh -c 'echo $$ >"$0/cgroup.procs" || exit 77; exec "$@"' "$_out_mnt" "$@"
}
