#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-emacs
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: emacs
# why: An editor in batch mode edits a file and catches an error.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
command -v emacs >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
seq 1 5 >f
HOME=$d emacs -Q --batch f --eval '(progn (goto-char 1) (insert "hello ") (save-buffer)
    (message "%s" (condition-case nil (require (quote no-such-library)) (error "optional"))))' 2>&1 | tail -n 1
head -n 1 f
