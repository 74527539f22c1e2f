/* SPDX-License-Identifier: GPL-2.0-only */
/* Throttling: the cause of a deadline that it made somebody miss, and of nothing else. */
#include "scene.h"

/* The cgroup of `p` had been throttled for `total` ms when p ended; `before` ms of it when p began. */
static void throttled(struct scene *s, struct process *p, uint64_t total, uint64_t before)
{
	struct sf_ev_cpu *e = calloc(1, sizeof(*e));

	assert_non_null(e);
	assert_int_equal(s->t->cpus.n, 0);
	e->hdr.ts = p->exit_ns;
	e->actor.tgid = p->key.tgid;
	e->actor.start_ns = p->key.start_ns;
	e->throttled_ns = total * MS;
	e->quota_ns = 5 * MS;
	e->period_ns = 100 * MS;
	e->nr_periods = 10;
	e->nr_throttled = 9;
	e->nnames = 2;
	strcpy(e->names[0], "box");
	strcpy(e->names[1], "pods");
	p->throttled_ns = before * MS;
	s->t->cpus.v = e;
	s->t->cpus.n = s->t->cpus.cap = 1;
}

static void killed_at_the_deadline(struct scene *s, uint64_t total, uint64_t before)
{
	struct process *t = process(s, 10, 0, "timeout", 1), *p = process(s, 11, 10, "work", 2);

	signal_from(s, p, SIGTERM, 0, "timeout", 10, 1000, 0);
	ends(s, p, 1001, SIGTERM, NULL);
	ends(s, t, 1002, EXITED(124), NULL);
	throttled(s, p, total, before);
}

static void test_the_deadline_is_its_echo(void **state)
{
	struct scene *s = *state;

	killed_at_the_deadline(s, 900, 0);
	expect(s, CAUSE_CPU_THROTTLED, "/pods/box");
	assert_non_null(strstr(s->out.failures[0].remedy, "above 5 %"));
}

static void test_throttled_before_it_began(void **state)
{
	struct scene *s = *state;

	killed_at_the_deadline(s, 900, 850);
	expect(s, CAUSE_DEADLINE_KILLED, "timeout");
}

static void test_a_small_part_of_its_life(void **state)
{
	struct scene *s = *state;

	killed_at_the_deadline(s, 120, 0);
	expect(s, CAUSE_DEADLINE_KILLED, "timeout");
}

static void test_its_own_clock(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "work", 1);

	ends(s, p, 1001, EXITED(1), "work: gave up: Timed out after 1 s\n");
	throttled(s, p, 700, 0);
	expect(s, CAUSE_CPU_THROTTLED, "/pods/box");
}

static void test_another_reason(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "work", 1);

	ends(s, p, 1001, EXITED(1), "work: bad input\n");
	throttled(s, p, 700, 0);
	expect(s, CAUSE_EXIT_NON_ZERO, "work");
}

static void test_done_in_time(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "work", 1);

	ends(s, p, 1001, EXITED(0), "a timeout was met, and a second try went well\n");
	throttled(s, p, 700, 0);
	expect_none(s);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scene_new, scene_free)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_the_deadline_is_its_echo), TEST(test_throttled_before_it_began),
		TEST(test_a_small_part_of_its_life), TEST(test_its_own_clock),
		TEST(test_another_reason),	     TEST(test_done_in_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
