# SPDX-License-Identifier: GPL-2.0-only
# Pipelines, background jobs, traps and exit statuses of the shell.
set -eu
n=$1
trap 'echo cleaned >>trace' EXIT
seq 1 5000 | awk -v n="$n" '{ print $1 * (n + 1) }' | sort -rn | head -n 3 >top
[ "$(head -n 1 top)" -eq $((5000 * (n + 1))) ]
yes line | head -n 100 | wc -l >hundred
[ "$(cat hundred)" -eq 100 ]
for job in 1 2 3; do
	(seq 1 "$job"000 | wc -l >"job-$job") &
done
wait
[ "$(cat job-1 job-2 job-3 | awk '{ s += $1 } END { print s }')" -eq 6000 ]
(exit 7) && exit 1 || [ $? -eq 7 ]
sh -c 'kill -TERM $$' 2>/dev/null && exit 1 || [ $? -eq 143 ]
command -v no-such-tool >/dev/null && exit 1
mkfifo pipe
(echo "through the pipe" >pipe) &
read -r line <pipe
wait
[ "$line" = 'through the pipe' ]
echo "pipeline: all statuses as they should be"
