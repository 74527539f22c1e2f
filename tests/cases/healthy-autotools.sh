#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-autotools
# report: healthy
# expect: none
# outcome: ok
# needs: autoconf gcc make
# why: A configure script is generated and tries the compiler with programs that must fail.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
cat >configure.ac <<'END'
AC_INIT([hello], [1.0])
AC_PROG_CC
AC_CHECK_HEADERS([stdio.h no_such_header.h])
AC_CHECK_FUNCS([getpid no_such_function])
AC_CHECK_LIB([no_such_library], [main])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
END
printf 'hello: @srcdir@/hello.c\n\t@CC@ @CFLAGS@ -o $@ $<\n' >Makefile.in
echo 'int main(void) { return 0; }' >hello.c
autoconf >log 2>&1
mkdir build
cd build
../configure >>../log 2>&1
make >>../log
./hello
