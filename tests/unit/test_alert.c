/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "alert.h"

#define S     NSEC_PER_SEC
#define M     (60 * NSEC_PER_SEC)
#define CAUSE CAUSE_MEMORY_OOM_CGROUP
#define OTHER CAUSE_SECCOMP_DENIED

static const struct alert_settings settings = {
	.window_ns = 10 * M, .min_tasks = 4, .significance = 1e-4, .resolve_ns = 10 * M
};

struct seen {
	int fired, resolved;
	struct alert_change last;
};

static void on_change(const struct alert_change *c, void *arg)
{
	struct seen *s = arg;

	if (c->firing)
		s->fired++;
	else
		s->resolved++;
	s->last = *c;
}

static struct alert_detector *new_detector(void)
{
	struct alert_detector *d;

	assert_int_equal(alert_new(&d, &settings), 0);
	return d;
}

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

static void test_tail(void **state)
{
	assert_true(alert_log_tail(3, 0) == 0);
	/* 1 - e^-1 */
	assert_true(near(alert_log_tail(1, 1), log(1 - exp(-1.0))));
	/* 1 - e^-2 (1 + 2) */
	assert_true(near(alert_log_tail(2, 2), log(1 - 3 * exp(-2.0))));
	/* 1 - e^-0.2 (1 + 0.2 + 0.02 + 0.008/6), by series: 5.684e-5 */
	assert_true(fabs(exp(alert_log_tail(0.2, 4)) - 5.684024e-5) < 1e-10);
	/* The head, where hits are far below what is expected: nearly certain. */
	assert_true(alert_log_tail(1000, 1) <= 0 && alert_log_tail(1000, 1) > -1e-9);
	/* Far beyond what a double holds outside of log space: ln P of 1e5 hits where 1 is expected
	 * lies between its first term and that plus ln(1 + 1e-5). */
	assert_true(fabs(alert_log_tail(1, 100000) - (-1 - lgamma(100001))) < 1.1e-5);
	/* Falls with every hit, rises with the mean. */
	for (int k = 1; k < 200; k++) {
		assert_true(alert_log_tail(20, k + 1) < alert_log_tail(20, k));
		assert_true(alert_log_tail(21, k) >= alert_log_tail(20, k));
	}
	/* Around its median a tail is about one half. */
	assert_true(fabs(exp(alert_log_tail(10000, 10000)) - 0.5) < 0.01);
}

static void test_min_tasks(void **state)
{
	struct alert_detector *d = new_detector();
	struct seen seen = { 0 };

	for (uint64_t i = 1; i <= 3; i++) {
		alert_task(d, S, i);
		alert_hit(d, S, i, CAUSE);
	}
	for (int n = 0; n < 100; n++)
		alert_hit(d, S, 1, CAUSE); /* one task counts once, however often it fails */
	alert_tick(d, 2 * S, on_change, &seen);
	assert_int_equal(seen.fired, 0);
	alert_task(d, 3 * S, 4);
	alert_hit(d, 3 * S, 4, CAUSE);
	alert_hit(d, 3 * S, 4, CAUSE_MEMORY_ADDRESS_SPACE); /* the same primitive: no fifth */
	alert_tick(d, 4 * S, on_change, &seen);
	assert_int_equal(seen.fired, 1);
	assert_int_equal(seen.last.level, LEVEL_SANDBOX);
	assert_string_equal(seen.last.primitive, "memory");
	assert_int_equal(seen.last.tasks, 4);
	assert_int_equal(seen.last.at_ns, 4 * S);
	assert_int_equal(seen.last.n_examples, 4);
	assert_int_equal(seen.last.examples[0], 1);
	assert_int_equal(seen.last.examples[3], 4);
	/* Cold start: one task in fifty, of four. */
	assert_true(near(seen.last.expected, 4 * 1.0 / 200));
	assert_true(alert_firing(d, LEVEL_SANDBOX, "memory"));
	assert_false(alert_firing(d, LEVEL_SANDBOX, "seccomp"));
	assert_false(alert_firing(d, LEVEL_SANDBOX, "no-such"));
	alert_free(d);
}

/* Four of two hundred are what a cold start expects. */
static void test_normalised_by_tasks(void **state)
{
	struct alert_detector *d = new_detector();
	struct seen seen = { 0 };

	for (uint64_t i = 1; i <= 200; i++)
		alert_task(d, S, i);
	for (uint64_t i = 1; i <= 4; i++)
		alert_hit(d, S, i, CAUSE);
	alert_tick(d, 2 * S, on_change, &seen);
	assert_int_equal(seen.fired, 0);
	alert_free(d);
}

/* No task starts: nothing to divide by, and yet it is a burst. */
static void test_idle_host(void **state)
{
	struct alert_detector *d = new_detector();
	struct seen seen = { 0 };

	alert_tick(d, 100 * M, on_change, &seen);
	assert_int_equal(seen.fired, 0);
	for (uint64_t i = 1; i <= 6; i++)
		alert_hit(d, 100 * M + (int64_t)i, i, CAUSE);
	alert_tick(d, 101 * M, on_change, &seen);
	assert_int_equal(seen.fired, 1);
	assert_true(isfinite(seen.last.expected) && seen.last.expected > 0);
	alert_free(d);
}

static void test_workload_never_fires(void **state)
{
	struct alert_detector *d = new_detector();
	struct seen seen = { 0 };

	for (uint64_t i = 1; i <= 500; i++)
		alert_hit(d, S, i, CAUSE_CRASH_SIGNAL);
	alert_tick(d, 2 * S, on_change, &seen);
	assert_int_equal(seen.fired, 0);
	alert_free(d);
}

/* A minute of a campaign: `tasks` start, `hits` of them are hit. */
static void minute(struct alert_detector *d, int64_t at, uint64_t *next, int tasks, int hits,
		   struct seen *seen)
{
	for (int i = 0; i < tasks; i++) {
		alert_task(d, at, ++*next);
		if (i < hits)
			alert_hit(d, at, *next, CAUSE);
	}
	alert_tick(d, at, on_change, seen);
}

/* What a campaign always had is its norm; ten times as much is not. */
static void test_baseline(void **state)
{
	struct alert_detector *d = new_detector();
	struct seen seen = { 0 };
	uint64_t next = 0;
	int64_t t = 0;

	for (int i = 0; i < 300; i++, t += M)
		minute(d, t, &next, 50, i % 2, &seen); /* one in a hundred */
	assert_int_equal(seen.fired, 0);
	/* 500 tasks a window at 1 %: 5 expected; the prior hardly counts any more. */
	for (int i = 0; i < 10 && !seen.fired; i++, t += M)
		minute(d, t, &next, 50, 5, &seen);
	assert_int_equal(seen.fired, 1);
	assert_true(seen.last.expected > 4 && seen.last.expected < 6.5);
	assert_int_equal(seen.resolved, 0);
	alert_free(d);
}

/* A primitive that hits half of all tasks all the time is no spike once that is known. */
static void test_high_baseline(void **state)
{
	struct alert_settings patient = settings;
	struct alert_detector *d;
	struct seen seen = { 0 };
	uint64_t next = 0;
	int64_t t = 0;

	patient.min_tasks = 1000000; /* learn first */
	assert_int_equal(alert_new(&d, &patient), 0);
	for (int i = 0; i < 300; i++, t += M)
		minute(d, t, &next, 20, 10, &seen);
	alert_set(d, &settings);
	for (int i = 0; i < 100; i++, t += M)
		minute(d, t, &next, 20, 10, &seen);
	assert_int_equal(seen.fired, 0);
	alert_free(d);
}

static void test_fires_once_and_resolves_once(void **state)
{
	struct alert_detector *d = new_detector();
	struct seen seen = { 0 };
	int64_t t;

	for (uint64_t i = 1; i <= 8; i++)
		alert_hit(d, S, i, CAUSE);
	for (t = 2 * S; t < 10 * M; t += 5 * S)
		alert_tick(d, t, on_change, &seen);
	assert_int_equal(seen.fired, 1);
	/* The hits leave the window at 10 min and 1 s; resolved 10 min later. */
	for (; t < 20 * M; t += 5 * S)
		alert_tick(d, t, on_change, &seen);
	assert_int_equal(seen.resolved, 0);
	assert_true(alert_firing(d, LEVEL_SANDBOX, "memory"));
	for (; t < 60 * M; t += 5 * S)
		alert_tick(d, t, on_change, &seen);
	assert_int_equal(seen.fired, 1);
	assert_int_equal(seen.resolved, 1);
	assert_false(seen.last.firing);
	assert_int_equal(seen.last.tasks, 0);
	assert_true(seen.last.at_ns >= 20 * M + S && seen.last.at_ns <= 20 * M + 6 * S);
	alert_free(d);
}

/* Quiet for a while, not long enough, and back: one alert. */
static void test_hysteresis(void **state)
{
	struct alert_detector *d = new_detector();
	struct seen seen = { 0 };

	for (uint64_t i = 1; i <= 8; i++)
		alert_hit(d, S, i, CAUSE);
	alert_tick(d, 2 * S, on_change, &seen);
	alert_tick(d, 11 * M, on_change, &seen); /* false since here */
	alert_tick(d, 20 * M, on_change, &seen);
	for (uint64_t i = 11; i <= 18; i++)
		alert_hit(d, 20 * M, i, CAUSE);
	alert_tick(d, 20 * M + S, on_change, &seen); /* true again */
	alert_tick(d, 29 * M, on_change, &seen);
	assert_int_equal(seen.fired, 1);
	assert_int_equal(seen.resolved, 0);
	alert_tick(d, 31 * M, on_change, &seen);
	alert_tick(d, 40 * M, on_change, &seen);
	assert_int_equal(seen.resolved, 0);
	alert_tick(d, 41 * M, on_change, &seen);
	assert_int_equal(seen.resolved, 1);
	alert_free(d);
}

static void test_retract(void **state)
{
	struct alert_detector *d = new_detector();
	struct seen seen = { 0 };

	for (uint64_t i = 1; i <= 4; i++)
		alert_hit(d, S, i, CAUSE);
	alert_retract(d, 4, OTHER); /* another primitive's: nothing */
	alert_retract(d, 99, CAUSE);
	alert_retract(d, 4, CAUSE);
	alert_retract(d, 4, CAUSE); /* once is enough */
	alert_tick(d, 2 * S, on_change, &seen);
	assert_int_equal(seen.fired, 0);
	alert_hit(d, 3 * S, 4, CAUSE);
	alert_tick(d, 4 * S, on_change, &seen);
	assert_int_equal(seen.fired, 1);
	for (uint64_t i = 1; i <= 4; i++)
		alert_retract(d, i, CAUSE);
	alert_tick(d, 5 * S, on_change, &seen);
	assert_int_equal(seen.resolved, 0); /* never unfires by itself */
	assert_true(alert_firing(d, LEVEL_SANDBOX, "memory"));
	alert_tick(d, 15 * M, on_change, &seen);
	assert_int_equal(seen.resolved, 1);
	alert_free(d);
}

/* A judgement may put one cause in the place of another of the same primitive, in either order. */
static void test_retract_one_of_two_causes(void **state)
{
	struct alert_detector *d = new_detector();
	struct seen seen = { 0 };

	for (uint64_t i = 1; i <= 4; i++) {
		alert_hit(d, S, i, CAUSE_MEMORY_OOM_HOST);
		alert_hit(d, S, i, CAUSE_MEMORY_OOM_CGROUP);
		alert_retract(d, i, CAUSE_MEMORY_OOM_HOST);
	}
	alert_tick(d, 2 * S, on_change, &seen);
	assert_int_equal(seen.fired, 1);
	assert_int_equal(seen.last.tasks, 4);
	alert_retract(d, 1, CAUSE_MEMORY_OOM_CGROUP);
	alert_tick(d, 15 * M, on_change, &seen);
	alert_tick(d, 30 * M, on_change, &seen);
	assert_int_equal(seen.resolved, 1);
	alert_free(d);
}

/* A burst does not become its own norm: the next one, long after, fires too. */
static void test_burst_is_not_learnt(void **state)
{
	struct alert_detector *d = new_detector();
	struct seen seen = { 0 };
	uint64_t next = 0;
	int64_t t = 0;

	for (int round = 1; round <= 3; round++) {
		for (int i = 0; i < 60; i++, t += M)
			minute(d, t, &next, 20, 0, &seen);
		for (int i = 0; i < 20; i++, t += M)
			minute(d, t, &next, 20, 10, &seen);
		for (int i = 0; i < 60; i++, t += M)
			minute(d, t, &next, 20, 0, &seen);
		assert_int_equal(seen.fired, round);
		assert_int_equal(seen.resolved, round);
	}
	alert_free(d);
}

/* What goes on for more than a day is the norm: it ends. */
static void test_new_norm(void **state)
{
	struct alert_detector *d = new_detector();
	struct seen seen = { 0 };
	uint64_t next = 0;
	int64_t t = 0;

	for (int i = 0; i < 23 * 60; i++, t += M)
		minute(d, t, &next, 10, 5, &seen);
	assert_int_equal(seen.fired, 1);
	assert_int_equal(seen.resolved, 0);
	for (int i = 0; i < 48 * 60; i++, t += M)
		minute(d, t, &next, 10, 5, &seen);
	assert_int_equal(seen.fired, 1);
	assert_int_equal(seen.resolved, 1);
	alert_free(d);
}

static void test_bounded(void **state)
{
	struct alert_detector *d = new_detector();
	struct seen seen = { 0 };

	for (uint64_t i = 1; i <= 70000; i++)
		alert_hit(d, S, i, CAUSE);
	assert_int_equal(alert_overflow(d), 70000 - 65536);
	alert_tick(d, 2 * S, on_change, &seen);
	assert_int_equal(seen.fired, 1);
	assert_int_equal(seen.last.tasks, 65536);
	assert_int_equal(seen.last.n_examples, 5);
	alert_hit(d, 20 * M, 1, CAUSE); /* the window has passed: there is room again */
	assert_int_equal(alert_overflow(d), 70000 - 65536);
	alert_free(d);
}

/* A clock that steps back must neither crash it nor keep hits for ever. */
static void test_clock_steps_back(void **state)
{
	struct alert_detector *d = new_detector();
	struct seen seen = { 0 };

	alert_task(d, 100 * M, 1);
	for (uint64_t i = 1; i <= 6; i++)
		alert_hit(d, 50 * M, i, CAUSE);
	alert_tick(d, 1, on_change, &seen);
	assert_int_equal(seen.fired, 1);
	assert_int_equal(seen.last.at_ns, 100 * M);
	alert_tick(d, 110 * M, on_change, &seen);
	alert_tick(d, 120 * M, on_change, &seen);
	assert_int_equal(seen.resolved, 1);
	alert_free(d);
}

static void test_settings_change(void **state)
{
	struct alert_settings other = settings;
	struct alert_detector *d = new_detector();
	struct seen seen = { 0 };

	for (uint64_t i = 1; i <= 8; i++) {
		alert_task(d, (int64_t)i * M, i);
		alert_hit(d, (int64_t)i * M, i, CAUSE);
	}
	other.min_tasks = 9;
	alert_set(d, &other);
	alert_tick(d, 9 * M, on_change, &seen);
	assert_int_equal(seen.fired, 0);
	other.min_tasks = 4;
	other.window_ns = 2 * M; /* tasks 7 and 8 alone */
	alert_set(d, &other);
	alert_tick(d, 9 * M - 1, on_change, &seen);
	assert_int_equal(seen.fired, 0);
	other.window_ns = 100000 * M; /* many small buckets in one window */
	alert_set(d, &other);
	for (uint64_t i = 100; i < 1000; i++)
		alert_task(d, (int64_t)i * 4000 * M, i);
	alert_tick(d, 4000000 * M, on_change, &seen);
	assert_int_equal(seen.fired, 0);
	alert_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tail),
		cmocka_unit_test(test_min_tasks),
		cmocka_unit_test(test_normalised_by_tasks),
		cmocka_unit_test(test_idle_host),
		cmocka_unit_test(test_workload_never_fires),
		cmocka_unit_test(test_baseline),
		cmocka_unit_test(test_high_baseline),
		cmocka_unit_test(test_fires_once_and_resolves_once),
		cmocka_unit_test(test_hysteresis),
		cmocka_unit_test(test_retract),
		cmocka_unit_test(test_retract_one_of_two_causes),
		cmocka_unit_test(test_burst_is_not_learnt),
		cmocka_unit_test(test_new_norm),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_clock_steps_back),
		cmocka_unit_test(test_settings_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
