# SPDX-License-Identifier: GPL-2.0-only
# A Makefile with several units: all of it first, then only what a change asks for.
set -eu
n=$1
mkdir -p src
for u in a b c; do
	printf '#include "common.h"\nint unit_%s(void) { return BASE + %s; }\n' "$u" "$n" >"src/$u.c"
done
echo '#define BASE 10' >src/common.h
cat >src/main.c <<'EOF'
#include <stdio.h>
int unit_a(void), unit_b(void), unit_c(void);
int main(void) { printf("%d\n", unit_a() + unit_b() + unit_c()); return 0; }
EOF
printf '%s\n' 'OBJ := $(patsubst src/%.c,out/%.o,$(wildcard src/*.c))' \
	'out/prog: $(OBJ)' '	gcc -o $@ $^' \
	'out/%.o: src/%.c src/common.h | out' '	gcc -O1 -c -o $@ $<' 'out:' '	mkdir out' >Makefile
make -s -j2
[ "$(out/prog)" -eq $((30 + 3 * n)) ]
[ "$(make -n | grep -c gcc)" -eq 0 ]
sed -i 's/BASE + /BASE * 2 + /' src/b.c
touch -d '+2 seconds' src/b.c
[ "$(make -n | grep -c 'gcc -O1')" -eq 1 ]
make -s
[ "$(out/prog)" -eq $((40 + 3 * n)) ]
echo "make: one unit of four was built again"
