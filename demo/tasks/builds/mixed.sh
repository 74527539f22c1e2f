# SPDX-License-Identifier: GPL-2.0-only
# One C function, called from C, from Python through a shared library, and from node through a pipe.
set -eu
n=$1
cat >sum.c <<'EOF'
long sum(const int *v, int n) { long s = 0; while (n--) s += *v++; return s; }
EOF
cat >filter.c <<'EOF'
#include <stdio.h>
long sum(const int *, int);
int main(void)
{
	int v[256], n = 0;

	while (n < 256 && scanf("%d", &v[n]) == 1)
		n++;
	printf("%ld\n", sum(v, n));
	return 0;
}
EOF
gcc -O2 -shared -fPIC -o libsum.so sum.c
gcc -O2 -o filter filter.c sum.c
cat >use.py <<'EOF'
import ctypes, sys
values = [int(x) for x in sys.argv[1:]]
library = ctypes.CDLL("./libsum.so")
library.sum.restype = ctypes.c_long
print(library.sum((ctypes.c_int * len(values))(*values), len(values)))
EOF
cat >use.js <<'EOF'
const { execFileSync } = require('child_process');
process.stdout.write(execFileSync('./filter', { input: process.argv.slice(2).join(' ') }));
EOF
want=$((n + 2 + 3 + 4))
[ "$(echo "$n" 2 3 4 | ./filter)" -eq "$want" ]
[ "$(python3 use.py "$n" 2 3 4)" -eq "$want" ]
[ "$(node use.js "$n" 2 3 4)" -eq "$want" ]
echo "mixed: C, Python and node agree on $want"
