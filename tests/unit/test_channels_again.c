/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of streams that are used again. */
#include "channel_rig.h"

/* A stream whose name is used again is another. */
static void test_name_again(void **state)
{
	struct rig *r = *state;

	session_over_pipes(r);
	r->offsets[1] = r->offsets[2] = 0;
	session_over_pipes(r);
	assert_int_equal(the_task(r)->calls.n, 2);
	assert_int_equal(the_task(r)->calls.v[1]->end, CALL_OK);
	assert_int_not_equal(the_task(r)->calls.v[0]->session, the_task(r)->calls.v[1]->session);
}

/* One connection of both directions, by processes of its own: a handshake, and a call that is answered or not. */
struct connection {
	uint64_t there, back, instance;
	uint64_t lost; /* bytes that were before the first that is seen */
	uint16_t serial;
	bool answers;
};

static void speak(struct rig *r, const struct connection *c)
{
	struct record q = { .what = SF_CH_DATA,
			    .kind = SF_CH_UNIX,
			    .stream = c->there,
			    .back = c->back,
			    .by = CLIENT + c->serial,
			    .instance = c->instance,
			    .writes = true,
			    .fd = 20,
			    .skip = c->lost,
			    .serial = c->serial,
			    .data = REQUEST(0, "initialize") };
	struct record reader = q;
	struct record answer = q;

	r->offsets[c->there] = r->offsets[c->back] = 0;
	reader.what = SF_CH_OTHER;
	reader.by = answer.by = SERVER + c->serial;
	reader.writes = false;
	reader.data = NULL;
	reader.skip = answer.skip = 0;
	answer.stream = c->back;
	answer.back = c->there;
	answer.fd = reader.fd = 3;
	answer.data = RESULT(0);
	put(r, &q);
	put(r, &reader);
	put(r, &answer);
	q.skip = 0;
	q.data = CALL(1, "a");
	put(r, &q);
	answer.data = RESULT(1);
	if (c->answers)
		put(r, &answer);
}

static void check_second(const struct task *t, size_t n, const struct call *old)
{
	assert_int_equal(t->calls.n, n);
	assert_int_equal(t->calls.v[n - 1]->end, CALL_OK);
	assert_int_equal(t->calls.v[n - 1]->server.tgid, SERVER + 2);
	assert_int_not_equal(t->calls.v[n - 1]->session, old->session);
	assert_int_not_equal(old->end, CALL_OK);
}

/* Both ends were killed with a call open, and nobody read the end: the next connection has the name of
 * one of the directions. */
static void test_stale(void **state)
{
	struct rig *r = *state;
	struct tracked *next = rig_task(r, TASK + 1);

	speak(r, &(struct connection){ .there = 1, .back = 2, .instance = TASK, .serial = 1 });
	speak(r,
	      &(struct connection){
		      .there = 3, .back = 2, .instance = TASK + 1, .serial = 2, .answers = true });
	check_second(next->task, 2, the_task(r)->calls.v[1]);
}

/* … and is of the same task. */
static void test_stale_in_task(void **state)
{
	struct rig *r = *state;

	speak(r, &(struct connection){ .there = 1, .back = 2, .instance = TASK, .serial = 1 });
	speak(r, &(struct connection){
			 .there = 3, .back = 2, .instance = TASK, .serial = 2, .answers = true });
	check_second(the_task(r), 4, the_task(r)->calls.v[1]);
}

/* … and its first record found the ring full. */
static void test_stale_first_lost(void **state)
{
	struct rig *r = *state;

	r->now -= NSEC_PER_SEC; /* what was lost is waited for until now */
	speak(r, &(struct connection){ .there = 1, .back = 2, .instance = TASK, .serial = 1 });
	speak(r, &(struct connection){ .there = 1,
				       .back = 3,
				       .instance = TASK,
				       .lost = 10,
				       .serial = 2,
				       .answers = true });
	channels_settle(&r->p, tracked_find(&r->p, TASK));
	check_second(the_task(r), 4, the_task(r)->calls.v[1]);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, rig_new, rig_free)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_name_again),
		TEST(test_stale),
		TEST(test_stale_in_task),
		TEST(test_stale_first_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
