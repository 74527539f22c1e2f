# SPDX-License-Identifier: GPL-2.0-only
# Reads an access log with the usual tools and checks the counts.
set -eu
n=$1
awk -v n="$n" 'BEGIN {
	for (i = 0; i < 5000; i++)
		printf "10.0.%d.%d GET /page/%d %d %d\n", i % 3, i % 20, (i * (n + 1)) % 40, \
			i % 10 ? 200 : 500, i % 512
}' >access.log
cut -d' ' -f1 access.log | sort | uniq -c | sort -rn >by-host
awk '$4 == 500 { e++ } { b += $5 } END { print e, b }' access.log >totals
grep -c ' 500 ' access.log >errors || true
sed -n 's/.*GET \([^ ]*\) 200.*/\1/p' access.log | sort -u >pages
[ "$(awk '{ s += $1 } END { print s }' by-host)" -eq 5000 ]
[ "$(cat errors)" -eq 500 ]
[ "$(cut -d' ' -f1 totals)" -eq 500 ]
[ "$(wc -l <by-host)" -eq 60 ]
echo "logs: $(wc -l <pages) pages, $(wc -l <by-host) hosts, $(cat totals) errors and bytes"
