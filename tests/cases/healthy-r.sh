#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-r
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: Rscript
# why: A script of statistics with a temporary file and a caught error.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
command -v Rscript >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >t.R <<'END'
x <- c(1, 2, 3, 4)
print(coef(lm(x ~ seq_along(x))))
f <- tempfile()
write.csv(data.frame(x), f)
print(nrow(read.csv(f)))
print(suppressWarnings(tryCatch(readLines("absent"), error = function(e) "absent")))
print(suppressWarnings(requireNamespace("noSuchPackage", quietly = TRUE)))
END
HOME=$d Rscript --vanilla t.R
