/* SPDX-License-Identifier: GPL-2.0-only */
/* Evidence made by hand: tasks, processes and signatures as the daemon would hold them. */
#ifndef SANDFAULT_TEST_EVIDENCE_H
#define SANDFAULT_TEST_EVIDENCE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "model.h"
#include "names.h"

/* What one failing call looked like; zero: nothing special. */
struct syscall {
	const char *syscall;
	int err;
	const char *path; /* resolved */
	const char *raw;  /* as given; NULL: same as path */
	uint64_t args[6];
	int entry;	   /* enum sf_entry */
	uint32_t state;	   /* enum sf_state */
	uint64_t cap_mask; /* 0: no check failed */
	struct sf_creds creds;
	struct sf_limits limits;
	struct explanation *explanation; /* borrowed: copied */
	const char *comm;
	uint8_t text_kind;
	uint32_t cover_len;	/* of a mount that covers what lies there outside */
	const char *mount_type; /* of the mount that covers it, from the table that was sent */
	uint32_t mount_flags, mount_len, mount_mode, mount_uid; /* … */
	int hook, hook_err, lsm; /* enum sf_hook: it refused, with this errno; enum sf_lsm */
	bool watched;		 /* every hook was */
	const char *inner;	 /* what an exec could not open inside of it */
};

static inline void evidence_call(struct signature *s, const struct syscall *c)
{
	const char *raw = c->raw ? c->raw : c->path;

	s->key.err = (int16_t)c->err;
	s->key.entry = (uint8_t)c->entry;
	s->count = s->count ? s->count : 1;
	s->bell = true;
	s->classes = names_class(c->syscall);
	snprintf(s->syscall, sizeof(s->syscall), "%s", c->syscall);
	snprintf(s->comm, sizeof(s->comm), "%s", c->comm ? c->comm : "prog");
	if (c->path) {
		assert_int_equal(text_set(&s->subject, c->path, strlen(c->path)), 0);
		assert_int_equal(text_set(&s->raw, raw, strlen(raw)), 0);
		s->text_kind = c->text_kind ? c->text_kind : SF_TEXT_PATH;
	}
	memcpy(s->args, c->args, sizeof(s->args));
	s->state = c->state;
	s->cap_mask = c->cap_mask;
	s->bell_flags = c->cap_mask ? SF_BELL_CAP : 0;
	assert_int_equal(signature_set_creds(s, &c->creds), 0);
	assert_int_equal(signature_set_limits(s, &c->limits), 0);
	s->hook = (uint8_t)c->hook;
	s->hook_err = (uint8_t)c->hook_err;
	s->lsm = (uint8_t)c->lsm;
	s->hooks = c->watched ? ~0ULL : 0;
	if (c->inner)
		assert_int_equal(text_set(&s->inner, c->inner, strlen(c->inner)), 0);
	s->cover_len = c->cover_len;
	if (c->mount_type) {
		s->mount_known = true;
		s->mount_table = 1;
		s->mount_flags = c->mount_flags;
		s->mount_len = c->mount_len;
		s->mount_mode = c->mount_mode;
		s->mount_uid = c->mount_uid;
		snprintf(s->mount_type, sizeof(s->mount_type), "%s", c->mount_type);
	}
	if (c->explanation) {
		s->explanation = calloc(1, sizeof(*s->explanation));
		assert_non_null(s->explanation);
		*s->explanation = *c->explanation;
	}
}

static inline void evidence_forget(struct signature *s)
{
	signature_clear(s);
	memset(s, 0, sizeof(*s));
}

#endif
