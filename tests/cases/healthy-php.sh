#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-php
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: php
# why: A script with an include of its own and a guarded one, a stream and a database.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >t.php <<'END'
<?php
file_put_contents('part.php', '<?php return 42;');
echo include 'part.php', "\n";
echo @include 'absent.php' ? 'there' : 'optional', "\n";
echo @file_get_contents('absent') === false ? 'absent' : 'there', "\n";
$h = popen('sort -r', 'w');
fwrite($h, "1\n2\n");
pclose($h);
echo json_encode(['a' => array_sum(range(1, 100))]), "\n";
END
php t.php
