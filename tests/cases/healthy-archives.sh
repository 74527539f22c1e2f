#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-archives
# report: healthy
# expect: none
# outcome: ok
# needs: tar gzip python3
# why: Archives of several kinds, also through pipes.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
mkdir source
seq 1 5000 >source/a
ln -s a source/b
ln source/a source/c
mkdir 'source/name with blanks'
tar -czf source.tgz source && tar -tzf source.tgz >/dev/null && gzip -t source.tgz || exit 1
tar -cf - source | gzip | tar -xzf - --to-stdout >/dev/null || exit 1
mkdir unpacked && tar -C unpacked -xzf source.tgz && diff -r source unpacked/source || exit 1
cat >pack.py <<'EOF'
import lzma, zipfile

with zipfile.ZipFile("source.zip", "w", zipfile.ZIP_DEFLATED) as z:
    z.write("source/a")
with zipfile.ZipFile("source.zip") as z:
    assert z.testzip() is None
assert lzma.decompress(lzma.compress(b"x" * 100000)) == b"x" * 100000
EOF
python3 pack.py
