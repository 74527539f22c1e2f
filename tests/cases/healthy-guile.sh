#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-guile
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: guile
# why: A Scheme program searches modules and catches an error.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
command -v guile >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >t.scm <<'END'
(use-modules (ice-9 popen) (ice-9 rdelim))
(display (catch #t (lambda () (open-input-file "absent")) (lambda args "absent")))
(display (false-if-exception (resolve-interface '(no such module))))
(let ((p (open-input-pipe "echo hi"))) (display (read-line p)) (close-pipe p))
(newline)
END
HOME=$d XDG_CACHE_HOME=$d/cache guile --no-auto-compile t.scm
