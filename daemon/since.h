/* SPDX-License-Identifier: GPL-2.0-only */
/* Points in time as people write and read them. */
#ifndef SANDFAULT_SINCE_H
#define SANDFAULT_SINCE_H

#include "util.h"

/* What since_parse() takes, for messages. */
#define SINCE_SYNTAX "RFC 3339, YYYY-MM-DD[ HH:MM] in local time, or an age: 90s, 15m, 6h, 2d"

/* One of SINCE_SYNTAX -> ns UTC (at least 1, as 0 means none); ages count back from now_ns.
 * 0 or -EINVAL. */
int since_parse(const char *s, int64_t now_ns, int64_t *ret_ns);
/* "2026-11-29 18:00:00+01:00" local, or "2026-11-29 17:00:00Z"; "-" for 0. buf: 40 bytes. */
void since_format(int64_t ns, bool utc, char *buf, size_t size);
/* "350 ms", "12.3 s", "4 m 10 s", "3 h 5 m", "2 d 4 h". buf: 32 bytes. */
void since_span(int64_t ns, char *buf, size_t size);

#endif
