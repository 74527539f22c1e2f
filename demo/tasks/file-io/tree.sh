# SPDX-License-Identifier: GPL-2.0-only
# A tree of files is packed, unpacked elsewhere, and compared.
set -eu
n=$1
mkdir -p tree/a/b tree/c out
i=0
while [ "$i" -lt 24 ]; do
	head -c $((n * 100 + i * 1500)) /dev/urandom >"tree/a/$i.bin"
	printf 'line %s\n' "$i" "$n" >"tree/a/b/$i.txt"
	i=$((i + 1))
done
ln -s ../a/1.bin tree/c/link
ln tree/a/2.bin tree/c/hard
tar -cf tree.tar tree
tar -xf tree.tar -C out
diff -r tree out/tree
[ "$(find out/tree -type f | wc -l)" -eq 49 ]
[ "$(readlink out/tree/c/link)" = ../a/1.bin ]
(cd tree && find . -type f -exec sha256sum {} + | sort -k 2) >sums
(cd out/tree && sha256sum --quiet -c ../../sums)
rm -r out/tree
echo "tree: $(wc -l <sums) files went through tar"
