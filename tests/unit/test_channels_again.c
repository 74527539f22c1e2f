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

/* Both ends were killed with a call open; the kernel side takes the next task's channel for the same. */
static void test_stale(void **state)
{
	struct rig *r = *state;
	struct record q = { .what = SF_CH_DATA,
			    .kind = SF_CH_UNIX,
			    .stream = 1,
			    .by = CLIENT,
			    .instance = TASK,
			    .writes = true,
			    .fd = 20,
			    .data = REQUEST(0, "initialize") };
	struct record answer = { .what = SF_CH_DATA,
				 .kind = SF_CH_UNIX,
				 .stream = 2,
				 .by = SERVER,
				 .instance = TASK,
				 .writes = true,
				 .fd = 1,
				 .data = RESULT(0) };
	struct record reader = {
		.what = SF_CH_OTHER, .kind = SF_CH_UNIX, .stream = 1, .by = SERVER, .instance = TASK
	};
	struct tracked *next = rig_task(r, TASK + 1);

	put(r, &q);
	put(r, &reader);
	put(r, &answer);
	q.data = CALL(1, "a");
	put(r, &q);
	q.instance = reader.instance = answer.instance = TASK + 1;
	q.by = CLIENT + 1;
	reader.by = answer.by = SERVER + 1;
	q.data = REQUEST(0, "initialize");
	put(r, &q);
	put(r, &reader);
	answer.stream = 3;
	put(r, &answer);
	q.data = CALL(1, "a");
	put(r, &q);
	answer.data = RESULT(1);
	put(r, &answer);
	assert_int_equal(next->task->calls.n, 2);
	assert_int_equal(next->task->calls.v[1]->end, CALL_OK);
	assert_int_equal(next->task->calls.v[1]->server.tgid, SERVER + 1);
	assert_int_not_equal(next->task->calls.v[1]->session, the_task(r)->calls.v[0]->session);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, rig_new, rig_free)

int main(void)
{
	const struct CMUnitTest tests[] = { TEST(test_name_again), TEST(test_stale) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
