#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-gfortran
# report: healthy
# expect: none
# outcome: ok
# needs: gfortran
# why: A Fortran program reads and writes a file of its own.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
command -v gfortran >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
cat >f.f90 <<'END'
program hello
  integer :: n, status
  open(unit=9, file='absent', status='old', iostat=status)
  open(unit=10, file='data', status='replace')
  write(10, *) 42
  rewind(10)
  read(10, *) n
  print *, n, status /= 0
end program
END
gfortran -o f f.f90
./f
