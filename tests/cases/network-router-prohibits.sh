#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: network-router-prohibits
# report: own
# expect: level=sandbox primitive=network cause=denied
# subject: 10.8.0.1:443
# outcome: failed
# needs: ip unshare python3
# why: The next router answers "administratively prohibited"; the program fetches that from its socket.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >inside.sh <<'EOF'
mkfifo ready
unshare -n sh -c 'echo up >ready; read -r line <done' &
router=$!
read -r line <ready
ip link add east type veth peer name west netns "$router" || exit 77
ip address add 10.200.0.2/24 dev east && ip link set east up && ip route add default via 10.200.0.1 || exit 77
nsenter -t "$router" -n sh -c 'ip link set lo up
	ip address add 10.200.0.1/24 dev west && ip link set west up && ip route add prohibit 10.8.0.0/16
	echo 1 >/proc/sys/net/ipv4/ip_forward' || exit 77
python3 -c 'import socket; socket.create_connection(("10.8.0.1", 443), 3)'
status=$?
echo >done
wait "$router"
exit "$status"
EOF
mkfifo done
unshare -n sh inside.sh
