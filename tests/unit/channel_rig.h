/* SPDX-License-Identifier: GPL-2.0-only */
/* A pipeline without kernel programs, to which records of channels are handed. */
#ifndef SANDFAULT_TESTS_CHANNEL_RIG_H
#define SANDFAULT_TESTS_CHANNEL_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "core.h"

#define TASK	 7
#define STREAMS	 256
#define MS	 1000000ULL
#define NOBODY	 0
#define CLIENT	 100 /* its pid */
#define SERVER	 200
#define IS_WRITE 1
#define IS_READ	 0

struct rig {
	struct pipeline p;
	struct options options;
	char dir[64];
	uint64_t offsets[STREAMS]; /* of the streams, which are called 1… */
	uint64_t now;
};

static inline struct tracked *rig_task(struct rig *r, uint64_t instance)
{
	struct task *t = task_new(instance);
	struct tracked *tr;
	char name[32];

	assert_non_null(t);
	snprintf(name, sizeof(name), "t-%llu", (unsigned long long)instance);
	t->rec.campaign = strdup("c");
	t->rec.task = strdup(name);
	t->rec.source = strdup("begin");
	t->rec.state = STATE_RUNNING;
	t->started_ns = 1;
	assert_int_equal(tracked_add(&r->p, t, &tr), 0);
	assert_int_equal(store_put_task(r->p.store, &t->rec), 0);
	return tr;
}

static inline int rig_new(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));
	char *aside = NULL, db[80];

	assert_non_null(r);
	strcpy(r->dir, "/tmp/sandfault-channels-XXXXXX");
	assert_non_null(mkdtemp(r->dir));
	snprintf(db, sizeof(db), "%s/db", r->dir);
	assert_int_equal(options_init(&r->options), 0);
	r->p.options = &r->options;
	assert_int_equal(loop_new(&r->p.loop), 0);
	assert_int_equal(store_open(&r->p.store, db, (gid_t)-1, &aside), 0);
	assert_int_equal(attribute_new(&r->p.attribution), 0);
	assert_int_equal(channels_new(&r->p), 0);
	r->now = (uint64_t)util_now_boottime();
	rig_task(r, TASK);
	*state = r;
	return 0;
}

static inline int rig_free(void **state)
{
	struct rig *r = *state;
	struct tracked *tr, *next;
	char command[96];

	channels_free(&r->p);
	HASH_ITER(hh, r->p.tracked, tr, next)
	{
		tracked_free(&r->p, tr);
	}
	attribute_free(r->p.attribution);
	store_close(r->p.store);
	loop_free(r->p.loop);
	options_clear(&r->options);
	snprintf(command, sizeof(command), "rm -rf '%s'", r->dir);
	assert_int_equal(system(command), 0);
	free(r);
	return 0;
}

static inline struct task *the_task(struct rig *r)
{
	return tracked_find(&r->p, TASK)->task;
}

/* One record. `by` uses the end that `writes` says, by its descriptor `fd`; data NULL: none. */
struct record {
	enum sf_ch_what what;
	enum sf_ch_kind kind;
	uint64_t stream, back;
	uint32_t by;
	uint64_t instance;
	bool writes;
	int fd;
	uint32_t err;
	const char *data;
	uint64_t skip; /* bytes before it that were lost */
	uint16_t serial;
};

static inline void put(struct rig *r, const struct record *q)
{
	size_t len = q->data ? strlen(q->data) : 0;
	struct sf_ev_chunk *c = calloc(1, sizeof(*c) + len);
	struct event e;

	assert_non_null(c);
	r->now += MS;
	r->offsets[q->stream] += q->skip;
	c->hdr = (struct sf_hdr){ .kind = SF_EV_CHUNK,
				  .serial = q->serial,
				  .size = (uint32_t)(sizeof(*c) + len),
				  .ts = r->now };
	c->actor.tgid = c->actor.tid = q->by;
	c->actor.start_ns = q->by;
	c->actor.instance = q->instance;
	c->stream = q->stream;
	c->back = q->back;
	c->offset = r->offsets[q->stream];
	c->len = (uint32_t)len;
	c->fd = q->fd;
	c->err = q->err;
	c->what = q->what;
	c->kind = q->kind;
	c->writes = q->writes;
	c->first = q->what == SF_CH_DATA && !c->offset;
	memcpy(c + 1, q->data ? q->data : "", len);
	r->offsets[q->stream] += len;
	assert_int_equal(decode_event(c, c->hdr.size, &e), 0);
	channels_event(&r->p, &e);
	free(c);
}

/* Bytes over a pipe, as the process of the task `by` writes or reads them. */
static inline void pipe_data(struct rig *r, uint64_t stream, uint32_t by, bool writes, int fd,
			     const char *data)
{
	put(r, &(struct record){ .what = SF_CH_DATA,
				 .kind = SF_CH_PIPE,
				 .stream = stream,
				 .by = by,
				 .instance = TASK,
				 .writes = writes,
				 .fd = fd,
				 .data = data });
}

static inline void pipe_other(struct rig *r, uint64_t stream, uint32_t by, bool writes, int fd)
{
	put(r, &(struct record){ .what = SF_CH_OTHER,
				 .kind = SF_CH_PIPE,
				 .stream = stream,
				 .by = by,
				 .instance = TASK,
				 .writes = writes,
				 .fd = fd });
}

static inline void pipe_eof(struct rig *r, uint64_t stream, uint32_t by)
{
	put(r, &(struct record){ .what = SF_CH_EOF,
				 .kind = SF_CH_PIPE,
				 .stream = stream,
				 .by = by,
				 .instance = TASK });
}

#define REQUEST(id, method)                                                                        \
	"{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"method\":\"" method "\",\"params\":{}}\n"
#define CALL(id, tool)                                                                             \
	"{\"jsonrpc\":\"2.0\",\"id\":" #id                                                         \
	",\"method\":\"tools/call\",\"params\":{\"name\":\"" tool "\",\"arguments\":{}}}\n"
#define RESULT(id) "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"result\":{}}\n"

/* Both pipes of a server are captured at the writers' ends; readers are told of once. */
static inline void session_over_pipes(struct rig *r)
{
	pipe_data(r, 1, CLIENT, IS_WRITE, 5, REQUEST(0, "initialize"));
	pipe_other(r, 1, SERVER, IS_READ, 0);
	pipe_data(r, 2, SERVER, IS_WRITE, 1, RESULT(0));
	pipe_other(r, 2, CLIENT, IS_READ, 6);
}

#endif
