# SPDX-License-Identifier: GPL-2.0-only
# An invoice as text, from a table: amounts added up by awk and laid out in columns.
set -eu
n=$1
awk -v n="$n" 'BEGIN {
	for (i = 1; i <= 12; i++)
		printf "%d\tarticle %c\t%d\t%.2f\n", i, 64 + i, i + n, i * 1.25
}' >lines.tsv
awk -F'\t' '
	{ sum = $3 * $4; total += sum; printf "%3d  %-12s %5d x %8.2f %10.2f\n", $1, $2, $3, $4, sum }
	END { printf "%34s %10.2f\n", "net", total; printf "%34s %10.2f\n", "tax", total * 0.19
	      printf "%34s %10.2f\n", "to pay", total * 1.19 }' lines.tsv >invoice.txt
want=$(awk -v n="$n" 'BEGIN {
	for (i = 1; i <= 12; i++)
		total += (i + n) * i * 1.25
	printf "%.2f", total * 1.19
}')
[ "$(tail -n 1 invoice.txt | awk '{ print $3 }')" = "$want" ]
fold -w 60 invoice.txt | pr -h "Invoice $n" -l 40 >invoice.prn
grep -q "Invoice $n" invoice.prn
echo "invoice: to pay $want"
