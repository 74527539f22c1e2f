# SPDX-License-Identifier: GPL-2.0-only
# A static library, a program that uses it, and its test, all made by the compiler.
set -eu
n=$1
mkdir -p build
cat >add.c <<EOF
int add(int a, int b) { return a + b + $n; }
EOF
cat >mul.c <<'EOF'
int mul(int a, int b) { return a * b; }
EOF
cat >main.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
int add(int, int);
int mul(int, int);
int main(int argc, char **argv)
{
	int x = argc > 1 ? atoi(argv[1]) : 0;

	printf("%d\n", add(mul(x, x), 1));
	return 0;
}
EOF
gcc -O1 -Wall -c -o build/add.o add.c
gcc -O1 -Wall -c -o build/mul.o mul.c
ar rcs build/libmath.a build/add.o build/mul.o
gcc -O1 -Wall -o build/main main.c build/libmath.a
got=$(./build/main 5)
[ "$got" -eq $((26 + n)) ]
got=$(./build/main)
[ "$got" -eq $((1 + n)) ]
echo "cc: built and tested $(ls build | wc -l) outputs"
