# SPDX-License-Identifier: GPL-2.0-only
# lib/dead-network.sh - sourced by cases:  in_dead_network COMMAND...
#
# Runs the command in a network namespace of its own, where loopback works and everything else is sent to a tun device
# that nobody reads: no answer ever comes. Ends the case with 77 where no such device can be made.

_dead_network='ip link set lo up && ip tuntap add void0 mode tun && ip addr add 10.200.0.1/24 dev void0 &&
    ip link set void0 up && ip route add default dev void0 || exit 77'

in_dead_network() {
    unshare -n sh -c "$_dead_network" || exit 77
    unshare -n sh -c "$_dead_network; exec \"\$@\"" dead-network "$@"
}
