/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages that a wire handed on, kept and named by their number. */
#ifndef SANDFAULT_WIRE_RIG_H
#define SANDFAULT_WIRE_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "wire.h"

#define RIG_MAX 128

struct rig {
	struct wire *wire;
	uint64_t offset;
	struct wire_message m[RIG_MAX];
	size_t n;
};

static inline char *rig_copy(const char *s)
{
	return s ? strdup(s) : NULL;
}

static inline void rig_take(const struct wire_message *m, void *arg)
{
	struct rig *r = arg;
	struct wire_message *to = &r->m[r->n++];
	char *data = malloc(m->len + 1);

	assert_true(r->n <= RIG_MAX);
	assert_non_null(data);
	assert_true(m->data[m->len] == '\0');
	assert_true(m->gap <= m->tail && m->tail <= m->len);
	memcpy(data, m->data, m->len + 1);
	*to = *m;
	to->data = data;
	to->http_method = rig_copy(m->http_method);
	to->http_path = rig_copy(m->http_path);
	to->http_session = rig_copy(m->http_session);
}

static inline void rig_begin(struct rig *r, size_t max)
{
	*r = (struct rig){ 0 };
	r->wire = wire_new(max, rig_take, r);
	assert_non_null(r->wire);
}

static inline void rig_bytes(struct rig *r, uint64_t ts, const void *data, size_t len,
			     uint32_t missing)
{
	assert_int_equal(wire_take(r->wire, ts, r->offset, data, len, missing), 0);
	r->offset += len + missing;
}

static inline void rig_text(struct rig *r, const char *s)
{
	rig_bytes(r, 1, s, strlen(s), 0);
}

static inline void rig_end(struct rig *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free((char *)r->m[i].data);
		free((char *)r->m[i].http_method);
		free((char *)r->m[i].http_path);
		free((char *)r->m[i].http_session);
	}
	wire_free(r->wire);
}

static inline void rig_want(const struct rig *r, size_t i, const char *data)
{
	assert_true(i < r->n);
	assert_string_equal(r->m[i].data, data);
	assert_int_equal(r->m[i].len, strlen(data));
}

#endif
