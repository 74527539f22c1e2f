/* SPDX-License-Identifier: GPL-2.0-only */
/* A server that is this process, with a directory of its own, and calls of it. Include after
 * cmocka.h. */
#ifndef SANDFAULT_TESTS_PAYLOAD_RIG_H
#define SANDFAULT_TESTS_PAYLOAD_RIG_H

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "disk.h"
#include "payload.h"
#include "until.h"

static struct {
	char dir[64];
	struct loop *loop;
	struct disk *disk;
	struct payload *payload;
	struct call call; /* the last */
	uint64_t last, done;
	uint64_t began;	  /* the task's */
	uint64_t slow_ns; /* calls began that much earlier */
	bool no_client;
} rig;

static inline void rig_done(uint64_t call, void *arg)
{
	rig.done = call;
}

static inline uint64_t rig_began(uint64_t instance, void *arg)
{
	return rig.began;
}

static inline int rig_set_up_with(size_t excerpt)
{
	struct payload_options o = { .done = rig_done, .began = rig_began, .excerpt = excerpt };

	snprintf(rig.dir, sizeof(rig.dir), "/tmp/sandfault-payload.XXXXXX");
	if (!mkdtemp(rig.dir) || chdir(rig.dir) < 0)
		return -1;
	rig.began = (uint64_t)util_now_boottime();
	rig.no_client = false;
	rig.slow_ns = 0;
	if (loop_new(&rig.loop) < 0 || disk_new(&rig.disk, rig.loop, 10 * NSEC_PER_SEC) < 0)
		return -1;
	o.disk = rig.disk;
	return payload_new(&rig.payload, &o);
}

static inline int rig_set_up(void **state)
{
	return rig_set_up_with(0);
}

static inline int rig_tear_down(void **state)
{
	char cmd[128];

	call_clear(&rig.call);
	payload_free(rig.payload);
	disk_free(rig.disk);
	loop_free(rig.loop);
	snprintf(cmd, sizeof(cmd), "rm -rf '%s'", rig.dir);
	return chdir("/") < 0 || system(cmd) ? -1 : 0; /* NOLINT(bugprone-command-processor) */
}

static inline void rig_write(const char *name, const void *data, size_t len)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), len);
	close(fd);
}

/* As if it had been written that long ago. */
static inline void rig_age(const char *name, int64_t ns)
{
	int64_t then = util_now_realtime() - ns;
	struct timespec t[2] = { { then / NSEC_PER_SEC, then % NSEC_PER_SEC } };

	t[1] = t[0];
	assert_int_equal(utimensat(AT_FDCWD, name, t, 0), 0);
}

static inline void rig_old(const char *name, const void *data, size_t len)
{
	rig_write(name, data, len);
	rig_age(name, 3600 * NSEC_PER_SEC);
}

static inline bool rig_is_done(void *arg)
{
	return rig.done == rig.call.id;
}

static inline struct json_object *rig_json(const char *s, size_t len)
{
	return json_object_new_string_len(s, (int)len);
}

/* An object of key, value, …, NULL; it takes the values over. */
static inline struct json_object *rig_object(const char *key, struct json_object *v,
					     const char *key2, struct json_object *v2)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, key, v);
	if (key2)
		json_object_object_add(o, key2, v2);
	return o;
}

static inline struct json_object *rig_params(struct json_object *args)
{
	return rig_object("name", json_object_new_string("x"), "arguments", args);
}

/* The result with one text. */
static inline struct json_object *rig_text(const char *s, size_t len)
{
	struct json_object *list = json_object_new_array();

	json_object_array_add(
		list, rig_object("type", json_object_new_string("text"), "text", rig_json(s, len)));
	return rig_object("content", list, NULL, NULL);
}

static inline void rig_begin(const char *tool, struct json_object *args)
{
	struct json_object *params = rig_params(args);

	call_clear(&rig.call);
	rig.call.id = ++rig.last;
	rig.call.session = 1;
	rig.call.instance = 1;
	rig.call.method = strdup("tools/call");
	rig.call.tool = strdup(tool);
	rig.call.server.tgid = (uint32_t)getpid();
	if (!rig.no_client)
		rig.call.client.tgid = (uint32_t)getpid();
	rig.call.started_ns = (uint64_t)util_now_boottime() - rig.slow_ns;
	assert_int_equal(payload_request(rig.payload, &rig.call, params), 0);
	json_object_put(params);
}

/* `result` is taken over. Waits until all is said. */
static inline void rig_end(enum call_end end, struct json_object *result)
{
	int r;

	rig.call.ended_ns = (uint64_t)util_now_boottime();
	rig.call.end = end;
	r = payload_answer(rig.payload, &rig.call, NULL, result);
	json_object_put(result);
	assert_in_range(r, 0, 1);
	if (r)
		assert_true(run_until(rig.loop, rig_is_done, NULL));
}

static inline void rig_none(void)
{
	if (rig.call.n_faults)
		fail_msg("a fault: %s", rig.call.faults[0].say);
}

static inline void rig_fault(enum cause cause, enum call_leg leg, bool sure, uint64_t at)
{
	const struct call_fault *f = rig.call.faults;

	assert_int_equal(rig.call.n_faults, 1);
	assert_string_equal(taxonomy_get(f->cause)->cause, taxonomy_get(cause)->cause);
	assert_string_equal(taxonomy_get(f->cause)->primitive, taxonomy_get(cause)->primitive);
	assert_string_equal(call_leg_name(f->leg), call_leg_name(leg));
	assert_int_equal(f->sure, sure);
	assert_int_equal(f->at, at);
	assert_non_null(f->say);
}

#endif
