/* SPDX-License-Identifier: GPL-2.0-only */
/* Two copies of a call's content become a finding, a finding a fault. Pure. */
#ifndef SANDFAULT_PAYLOAD_FIND_H
#define SANDFAULT_PAYLOAD_FIND_H

#include "call.h"
#include "damage.h"
#include "payload_shape.h"

/* Bytes that are compared; borrowed. */
struct copy {
	const void *data;
	size_t len;
};

#define EXCERPT_MAX 64 /* bytes of each copy */

struct excerpt {
	uint8_t data[EXCERPT_MAX];
	size_t len;    /* 0: none could be taken */
	size_t before; /* of them, so many stand before the damage */
};

struct finding {
	enum call_leg leg;
	enum damage_kind kind;
	bool sure;
	bool cut;    /* it may just not be written to its end yet */
	uint64_t at; /* in what it was before */
	uint64_t was_len, is_len;
	struct excerpt was, is; /* about where the damage begins */
};

/* Each: true: there is something to say. `plain` as shape_request() has it; `path` is the
 * file's name, for what its ending says. */

/* Handed in, and on disk. */
bool find_write(struct finding *ret, struct copy given, enum shape_encoding encoding,
		const char *path, struct copy disk, bool plain);
/* On disk, and handed back. `whole`: a tool which shows but the beginning has lost something: the same
 * session had written what stands there, or it is no text, of which nobody reads a part. */
bool find_read(struct finding *ret, struct copy disk, struct copy back, bool plain, bool whole);
/* Handed in, and handed back by a later call; the disk was not seen. */
bool find_round(struct finding *ret, struct copy given, enum shape_encoding encoding,
		struct copy back, bool plain);
/* What the client has, and handed in as text. */
bool find_client(struct finding *ret, struct copy own, struct copy given);
/* The same bytes, whichever way the encoding may be taken. */
bool find_same(struct copy given, enum shape_encoding encoding, struct copy other);

/* Adds the fault to the call; `path` is its subject. Of contents so many bytes of each copy are quoted,
 * but for where a secret stands nearby; 0: none. 0 or -ENOMEM. */
int finding_add(struct call *c, const struct finding *f, const char *path, size_t excerpt);
/* Adds another, in the words of `fmt`: no contents, no paths. The subject is redacted. */
int fault_add(struct call *c, enum cause cause, enum call_leg leg, bool sure, uint64_t at,
	      struct copy subject, const char *fmt, ...) _printf_(7, 8);

#endif
