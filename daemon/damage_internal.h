/* SPDX-License-Identifier: GPL-2.0-only */
/* Inside of damage*.c: the matchers. Each says whether it explains the whole of `got`, and
 * fills *d. */
#ifndef SANDFAULT_DAMAGE_INTERNAL_H
#define SANDFAULT_DAMAGE_INTERNAL_H

#include <string.h>

#include "damage.h"

struct bytes {
	const uint8_t *p;
	size_t n;
};

static inline struct bytes bytes_from(struct bytes b, size_t at)
{
	return (struct bytes){ b.p + at, b.n - at };
}

static inline bool bytes_same(struct bytes a, struct bytes b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool bytes_begin(struct bytes b, const void *s, size_t n)
{
	return b.n >= n && (n == 0 || memcmp(b.p, s, n) == 0);
}

bool bytes_only_newlines(struct bytes b);
size_t bytes_common(struct bytes a, struct bytes b); /* length of what both begin with */

#define DAMAGE_BEFORE                                                                              \
	(64 << 10)	       /* bytes looked at before the first difference: are they as whole? */
#define DAMAGE_AFTER (1 << 20) /* … and after it: enough to be sure of how */
/* Where a look at the first difference, at `common`, begins: at a character, and a line end as
 * a whole. */
size_t damage_start(struct bytes given, size_t common);

#define STEP_OUT 8
/* What some damage makes of the next bytes (there is at least one): writes at most STEP_OUT
 * bytes to `out`, *len of them, and returns how many were read, at least 1. 0: it can't have
 * met these. */
typedef size_t (*damage_step)(struct bytes rest, uint8_t *out, size_t *len);

/* Does `step`, applied from a bit before their first difference on, make `got` of `given`, and
 * change anything? Newlines at the end don't matter. */
bool damage_walk(struct bytes given, struct bytes got, damage_step step, struct damage *d);

/* damage_utf8.c */
#define REPLACEMENT "\xef\xbf\xbd"
size_t utf8_char(struct bytes rest); /* length of a valid character in front; 0: there is none */
bool utf8_valid(struct bytes b);
bool damage_is_replaced(struct bytes given, struct bytes got, struct damage *d);
bool damage_is_transcoded(struct bytes given, struct bytes got, struct damage *d);
bool damage_is_normalized(struct bytes given, struct bytes got, struct damage *d);

/* damage_text.c */
bool damage_is_line_ends(struct bytes given, struct bytes got, struct damage *d);
bool damage_is_escaped(struct bytes given, struct bytes got, struct damage *d);

/* damage_base64.c */
bool damage_is_base64(struct bytes given, struct bytes got, struct damage *d);

#endif
