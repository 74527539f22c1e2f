/* SPDX-License-Identifier: GPL-2.0-only */
/* What looks secret: a table of names, and one of shapes. */
#ifndef SANDFAULT_REDACT_SHAPE_H
#define SANDFAULT_REDACT_SHAPE_H

#include "util.h"

struct secret {
	size_t at, len;
};

/* Whether what stands under this name is secret: apiKey, API_KEY, x-api-key, userPassword … */
bool secret_name(const char *key, size_t len);
/* The first secret in s[from .. len) that its shape gives away; len 0 at the end: none. Each
 * occurrence is looked for once: the time is linear in the text's length. */
struct secret secret_find(const char *s, size_t from, size_t len);

#endif
