#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-xslt
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: xsltproc xmllint
# why: A document is checked and transformed; one that is broken is refused.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
LC_ALL=C.UTF-8; export LC_ALL # its files are looked for below another name first
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
echo '<a><b>1</b><b>2</b></a>' >a.xml
cat >t.xsl <<'END'
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:output method="text"/><xsl:template match="/"><xsl:value-of select="sum(//b)"/></xsl:template>
</xsl:stylesheet>
END
xsltproc --nonet t.xsl a.xml
echo
xmllint --noout a.xml
echo '<a>' | xmllint --noout - 2>/dev/null || echo broken
