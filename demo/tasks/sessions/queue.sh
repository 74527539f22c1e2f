# SPDX-License-Identifier: GPL-2.0-only
# A session with a worker in the background that takes jobs from a pipe until it is told to stop.
set -eu
n=$1
mkfifo jobs
(
	while read -r a b; do
		[ "$a" = stop ] && break
		echo "$a + $b = $((a + b))" >>done.log
	done <jobs
) &
worker=$!
exec 3>jobs
i=0
while [ "$i" -lt 10 ]; do
	echo "$i $n" >&3
	sleep 0.1
	i=$((i + 1))
done
echo 'stop now' >&3
exec 3>&-
wait "$worker"
[ "$(wc -l <done.log)" -eq 10 ]
[ "$(tail -n 1 done.log)" = "9 + $n = $((9 + n))" ]
echo "queue: ten jobs done"
