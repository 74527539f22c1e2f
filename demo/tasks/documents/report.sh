# SPDX-License-Identifier: GPL-2.0-only
# Collects items and has them rendered by the script that lies in the workspace.
set -eu
n=$1
i=0
while [ "$i" -lt 30 ]; do
	echo "item $i;$((i * n)) & more"
	i=$((i + 1))
done >items.txt
./render.sh items.txt >report.html
[ "$(grep -c '<tr>' report.html)" -eq 30 ]
grep -q '&amp; more' report.html
tail -n 1 report.html | grep -q '</table>'
echo "report: $(wc -c <report.html) bytes of HTML"
