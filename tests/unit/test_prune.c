/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "names.h"
#include "prune.h"

#define MANY 100

static struct task *t;

static void process(uint32_t tgid, bool exited, int status, uint64_t exit_ns)
{
	struct process *p = task_add_process(t, tgid, tgid);

	assert_non_null(p);
	p->exited = exited;
	p->status = status;
	p->exit_ns = exit_ns;
}

static struct signature *signature(uint32_t tgid, const char *syscall, int err, const char *path)
{
	struct sf_key key = { .instance = 1, .tgid = tgid, .start_ns = tgid };
	struct signature *s;

	key.err = (int16_t)err;
	key.nr = (uint16_t)names_syscall_nr(syscall);
	key.hash = HASH_COUNT(t->signatures) + 1;
	s = task_add_signature(t, &key);
	assert_non_null(s);
	snprintf(s->syscall, sizeof(s->syscall), "%s", syscall);
	s->classes = names_class(syscall);
	s->count = 1;
	s->text_kind = SF_TEXT_PATH;
	assert_int_equal(text_set(&s->subject, path, strlen(path)), 0);
	assert_int_equal(text_set(&s->raw, path, strlen(path)), 0);
	return s;
}

static int setup(void **state)
{
	char path[32];

	t = task_new(1);
	if (!t)
		return -1;
	process(1, true, 0, 100);
	process(2, true, 256, 100);
	process(3, false, 0, 0);
	for (int i = 0; i < MANY; i++) {
		snprintf(path, sizeof(path), "/lib/x%d", i);
		signature(1, "openat", ENOENT, path);
	}
	return 0;
}

static int teardown(void **state)
{
	task_free(t);
	return 0;
}

static void lookups_of_the_healthy_go(void **state)
{
	struct signature *failed = signature(2, "openat", ENOENT, "/a");
	struct signature *alive = signature(3, "openat", ENOENT, "/b");
	struct sf_key k1 = failed->key, k2 = alive->key;

	assert_int_equal(prune_task(t, 1000), MANY);
	assert_ptr_equal(task_find_signature(t, &k1), failed);
	assert_ptr_equal(task_find_signature(t, &k2), alive);
}

static void refusals_stay(void **state)
{
	struct sf_key k = signature(1, "openat", EACCES, "/a")->key;

	assert_int_equal(prune_task(t, 1000), MANY);
	assert_non_null(task_find_signature(t, &k));
}

/* It was there once: that it is not there now may be the platform's doing. */
static void what_the_task_made_stays(void **state)
{
	struct sf_key k = signature(1, "openat", ENOENT, "/made")->key;

	signature(3, "openat", 0, "/made");
	assert_int_equal(prune_task(t, 1000), MANY);
	assert_non_null(task_find_signature(t, &k));
}

static void call(uint64_t from_ns, uint64_t to_ns, enum call_end end)
{
	void *v = t->calls.v;
	struct call *c = calloc(1, sizeof(*c));

	assert_non_null(c);
	assert_int_equal(util_grow(&v, &t->calls.cap, t->calls.n + 1, sizeof(c)), 0);
	t->calls.v = v;
	t->calls.v[t->calls.n++] = c;
	c->started_ns = from_ns;
	c->ended_ns = to_ns;
	c->end = end;
}

/* A server tells its client that a file is not there, and ends well. */
static void what_a_call_failed_for_stays(void **state)
{
	const uint64_t begin = 10 * NSEC_PER_SEC, end = begin + NSEC_PER_MSEC;
	struct signature *under = signature(1, "openat", ENOENT, "/asked");
	struct signature *well = signature(1, "openat", ENOENT, "/probed");
	struct sf_key k1 = under->key, k2 = well->key;

	under->first_ns = under->last_ns = begin;
	well->first_ns = well->last_ns = 2 * begin;
	call(begin, end, CALL_TOOL_ERROR);
	call(2 * begin, 2 * begin + 1, CALL_OK);
	assert_int_equal(prune_task(t, 1000), MANY + 1);
	assert_ptr_equal(task_find_signature(t, &k1), under);
	assert_null(task_find_signature(t, &k2));
}

static void who_waits_for_an_answer_stays(void **state)
{
	struct signature *s = signature(1, "openat", ENOENT, "/a");

	s->explain_pending = true; /* an answer is due */
	assert_int_equal(prune_task(t, 1000), MANY);
	assert_non_null(task_find_signature(t, &s->key));
}

static void who_ended_just_now_is_left(void **state)
{
	assert_int_equal(prune_task(t, 100), 0);
}

static void few_are_left(void **state)
{
	struct signature *s, *next;
	unsigned int n = 0;

	HASH_ITER(hh, t->signatures, s, next)
	{
		if (++n > PRUNE_FROM)
			task_drop_signature(t, s);
	}
	assert_int_equal(prune_task(t, 1000), 0);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(lookups_of_the_healthy_go),
		T(refusals_stay),
		T(what_the_task_made_stays),
		T(what_a_call_failed_for_stays),
		T(who_waits_for_an_answer_stays),
		T(who_ended_just_now_is_left),
		T(few_are_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
