/* SPDX-License-Identifier: GPL-2.0-only */
/* Counting: distinct tasks, verdicts, failures, events. */
#include <time.h>

#include "db_fixture.h"

struct rows {
	struct {
		char key[3][32];
		struct taxonomy_row row;
	} at[16];
	int n;
};

static int keep_row(const struct taxonomy_row *row, void *arg)
{
	struct rows *all = arg;

	assert_true(all->n < 16);
	all->at[all->n].row = *row;
	for (int i = 0; i < 3 && row->key[i]; i++)
		snprintf(all->at[all->n].key[i], 32, "%s", row->key[i]);
	all->n++;
	return 0;
}

static void expect_row(const struct rows *all, int i, const char *k0, const char *k1,
		       int64_t n_tasks, int64_t verdicts, int64_t n_failures, int64_t events)
{
	assert_true(i < all->n);
	assert_string_equal(all->at[i].key[0], k0);
	assert_string_equal(all->at[i].key[1], k1);
	assert_int_equal(all->at[i].row.tasks, n_tasks);
	assert_int_equal(all->at[i].row.verdicts, verdicts);
	assert_int_equal(all->at[i].row.failures, n_failures);
	assert_int_equal(all->at[i].row.events, events);
}

static void taxonomy(struct query *q, struct query_filter f, const char *a, const char *b,
		     struct rows *ret)
{
	const char *by[] = { a, b };

	memset(ret, 0, sizeof(*ret));
	assert_int_equal(query_taxonomy(q, &f, by, b ? 2 : 1, keep_row, ret), 0);
}

static void test_taxonomy(void **state)
{
	struct store *s = small_campaign(*state);
	struct query *q = store_query(s);
	struct rows rows;

	taxonomy(q, (struct query_filter){}, "primitive", "cause", &rows);
	assert_int_equal(rows.n, 2);
	expect_row(&rows, 0, "seccomp", "denied", 3, 2, 4, 12);
	expect_row(&rows, 1, "disk", "full", 1, 1, 1, 3);
	/* A task that is hit by two primitives counts once for their level. */
	taxonomy(q, (struct query_filter){}, "level", NULL, &rows);
	assert_int_equal(rows.n, 1);
	expect_row(&rows, 0, "sandbox", "", 3, 3, 5, 15);
	taxonomy(q, (struct query_filter){ .all = true }, "primitive", "cause", &rows);
	assert_int_equal(rows.n, 3);
	expect_row(&rows, 1, "disk", "full", 2, 1, 2, 6);
	expect_row(&rows, 2, "seccomp", "killed", 1, 0, 1, 3);
	taxonomy(q, (struct query_filter){}, "label.app", "primitive", &rows);
	assert_int_equal(rows.n, 3);
	expect_row(&rows, 0, "shell", "seccomp", 2, 2, 3, 9);
	taxonomy(q, (struct query_filter){}, "label.x", NULL, &rows);
	assert_int_equal(rows.n, 2);
	expect_row(&rows, 0, "(none)", "", 2, 2, 3, 9);
	expect_row(&rows, 1, "y", "", 1, 1, 2, 6);
	store_close(s);
}

static void test_taxonomy_filters(void **state)
{
	static const char *const bad[] = { "subject; DROP TABLE task" };
	static const char *const nothing[] = { "label." };
	struct store *s = small_campaign(*state);
	struct query *q = store_query(s);
	const int64_t minute = T0 / MINUTE * MINUTE;
	struct rows rows, exact;

	/* The same window from the rollup (whole minutes) and from the failures. */
	taxonomy(q,
		 (struct query_filter){ .since_ns = minute + MINUTE,
					.until_ns = minute + 3 * MINUTE },
		 "primitive", NULL, &rows);
	taxonomy(q,
		 (struct query_filter){ .since_ns = minute + MINUTE + 1,
					.until_ns = minute + 3 * MINUTE - 1 },
		 "primitive", NULL, &exact);
	assert_int_equal(rows.n, 2);
	assert_memory_equal(&rows.at[0].row.tasks, &exact.at[0].row.tasks, 4 * sizeof(int64_t));
	expect_row(&rows, 0, "disk", "", 1, 1, 1, 3);
	expect_row(&rows, 1, "seccomp", "", 1, 0, 1, 3);
	expect_row(&exact, 1, "seccomp", "", 1, 0, 1, 3);
	taxonomy(q, (struct query_filter){ .subject = "/data" }, "primitive", NULL, &rows);
	assert_int_equal(rows.n, 1);
	expect_row(&rows, 0, "disk", "", 1, 1, 1, 3);
	taxonomy(q, (struct query_filter){ .task = "t-1", .attempt = 2 }, "primitive", NULL, &rows);
	expect_row(&rows, 0, "seccomp", "", 1, 1, 2, 6);
	taxonomy(q, (struct query_filter){ .limit = 1 }, "primitive", NULL, &rows);
	assert_int_equal(rows.n, 1);
	assert_int_equal(query_taxonomy(q, &(struct query_filter){}, bad, 1, keep_row, &rows),
			 -EINVAL);
	assert_int_equal(query_taxonomy(q, &(struct query_filter){}, nothing, 1, keep_row, &rows),
			 -EINVAL);
	assert_int_equal(query_taxonomy(q, &(struct query_filter){}, bad, 0, keep_row, &rows),
			 -EINVAL);
	store_close(s);
}

static void test_counts(void **state)
{
	struct store *s = small_campaign(*state);
	struct task_counts c;

	assert_int_equal(query_counts(store_query(s), &(struct query_filter){}, &c), 0);
	assert_int_equal(c.tasks, 3);
	assert_int_equal(c.ok, 1);
	assert_int_equal(c.failed, 1);
	assert_int_equal(c.killed, 0);
	assert_int_equal(c.unknown, 0);
	assert_int_equal(c.running, 1);
	assert_int_equal(c.with_verdict, 2);
	assert_int_equal(
		query_counts(store_query(s), &(struct query_filter){ .campaign = "none" }, &c), 0);
	assert_int_equal(c.tasks, 0);
	store_close(s);
}

/* ---- many ---- */

static void fill_many(struct store *s, int n_tasks, int per_task)
{
	static const enum cause causes[] = { CAUSE_SECCOMP_DENIED, CAUSE_DISK_FULL,
					     CAUSE_FILE_PERMISSION_DENIED, CAUSE_BINARY_NOT_FOUND,
					     CAUSE_NETWORK_REFUSED };
	struct failure_record *rows = calloc((size_t)per_task, sizeof(*rows));

	for (int i = 1; i <= n_tasks; i++) {
		struct task_record t = a_task(i, "t", i, STATE_FINAL);

		for (int j = 0; j < per_task; j++)
			rows[j] = a_failure((uint64_t)j + 1, causes[j % 5],
					    j % 4 ? DISP_CONTRIBUTING : DISP_HANDLED,
					    t.started_ns + j * NSEC_PER_SEC);
		put(s, &t, rows, (size_t)per_task, 2);
		if (i % 100 == 0)
			assert_int_equal(store_commit(s), 0);
	}
	assert_int_equal(store_commit(s), 0);
	free(rows);
}

/* Our own time: others may have the processor. */
static int64_t cpu_time(void)
{
	struct timespec ts;

	assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts), 0);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

static int64_t timed_taxonomy(struct query *q, struct query_filter f, struct rows *rows)
{
	int64_t start = cpu_time();

	taxonomy(q, f, "primitive", "cause", rows);
	return cpu_time() - start;
}

static void test_many_failures(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct query *q = NULL;
	struct rows rows;
	int64_t all, window, exact;

	fill_many(s, 1000, 100);
	assert_int_equal(query_open(&q, f->path), 0);
	all = timed_taxonomy(q, (struct query_filter){}, &rows);
	assert_int_equal(rows.n, 5);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(rows.at[i].row.tasks, 1000);
		assert_int_equal(rows.at[i].row.failures, 15000);
		assert_int_equal(rows.at[i].row.events, 45000);
	}
	window = timed_taxonomy(
		q, (struct query_filter){ .since_ns = T0 / MINUTE * MINUTE + 10 * MINUTE }, &rows);
	exact = timed_taxonomy(q, (struct query_filter){ .since_ns = T0 + 10 * MINUTE }, &rows);
	print_message("taxonomy over 1e5 failures: %lld us, from a minute on %lld us, from a "
		      "second on %lld us\n",
		      (long long)all / 1000, (long long)window / 1000, (long long)exact / 1000);
	/* A scan of the failures themselves would take longer, a slow machine does not. */
	assert_true(all < NSEC_PER_SEC && window < NSEC_PER_SEC && exact < NSEC_PER_SEC);
	query_close(q);
	store_close(s);
}

#define T(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_taxonomy),
		T(test_taxonomy_filters),
		T(test_counts),
		T(test_many_failures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
