/* SPDX-License-Identifier: GPL-2.0-only */
/* Writing: what is put is what is stored, and what is stored stays in step. */
#include "db_fixture.h"

static void test_failures_keep_ids(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct task_record t = a_task(7, "t-7", 1, STATE_RUNNING), got = {};
	struct failure_record first[] = {
		a_failure(11, CAUSE_SECCOMP_DENIED, DISP_FATAL, T0),
		a_failure(12, CAUSE_BINARY_NOT_FOUND, DISP_CONTRIBUTING, T0),
		a_failure(UINT64_MAX, CAUSE_DISK_FULL, DISP_HANDLED, T0),
	};
	struct failure_record second[] = {
		a_failure(13, CAUSE_PIDS_CGROUP_LIMIT, DISP_FATAL, T0),
		a_failure(11, CAUSE_SECCOMP_DENIED, DISP_CONTRIBUTING, T0),
	};
	int64_t id11, id_max;

	first[1].caused_by_fingerprint = 11;
	put(s, &t, first, 3, 11);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(query_task(store_query(s), 7, true, &got), 0);
	assert_int_equal(got.n_failures, 3);
	id11 = find(&got, 11)->id;
	id_max = find(&got, UINT64_MAX)->id;
	assert_true(id11 > 0 && id_max > 0);
	assert_int_equal(got.verdict, id11);
	assert_int_equal(find(&got, 12)->caused_by, id11);
	task_record_clear(&got);

	second[1].count = 9;
	second[1].caused_by_fingerprint = 13;
	put(s, &t, second, 2, 13);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(query_task(store_query(s), 7, true, &got), 0);
	assert_int_equal(got.n_failures, 2);
	assert_int_equal(find(&got, 11)->id, id11);
	assert_int_equal(find(&got, 11)->count, 9);
	assert_int_equal(find(&got, 11)->disposition, DISP_CONTRIBUTING);
	assert_int_equal(find(&got, 11)->caused_by, find(&got, 13)->id);
	assert_int_equal(find(&got, 11)->caused_by_fingerprint, 13);
	assert_int_equal(got.verdict_fingerprint, 13);
	assert_true(find(&got, 13)->id > id_max); /* those of removed rows do not come back */
	assert_int_equal(got.verdict, find(&got, 13)->id);
	task_record_clear(&got);
	store_close(s);
}

static void test_late_rows(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct task_record t = a_task(7, "t-7", 1, STATE_FINAL), got = {};
	struct failure_record own = a_failure(11, CAUSE_SECCOMP_DENIED, DISP_FATAL, T0);
	struct failure_record later[] = {
		a_failure(12, CAUSE_MEMORY_OOM_CGROUP, DISP_FATAL, T0 + NSEC_PER_SEC),
		a_failure(11, CAUSE_SECCOMP_DENIED, DISP_HANDLED, T0),
	};
	int64_t late_id;

	put(s, &t, &own, 1, 11);
	t.failures = later;
	t.n_failures = 2;
	t.verdict_fingerprint = 12;
	assert_int_equal(store_put_failures(s, &t, true), 0);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(query_task(store_query(s), 7, true, &got), 0);
	assert_int_equal(got.n_failures, 2);
	assert_int_equal(got.verdict, find(&got, 11)->id);
	assert_int_equal(find(&got, 11)->disposition, DISP_FATAL);
	assert_false(find(&got, 11)->late);
	assert_true(find(&got, 12)->late);
	late_id = find(&got, 12)->id;
	task_record_clear(&got);

	/* It grows under the same id, and outlives a judgement that does not know it. */
	later[0].count = 8;
	assert_int_equal(store_put_failures(s, &t, true), 0);
	put(s, &t, &own, 1, 11);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(query_task(store_query(s), 7, true, &got), 0);
	assert_int_equal(got.n_failures, 2);
	assert_int_equal(find(&got, 12)->id, late_id);
	assert_int_equal(find(&got, 12)->count, 8);
	task_record_clear(&got);
	store_close(s);
}

static void test_rollup_in_step(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct task_record t = a_task(1, "t-1", 1, STATE_RUNNING);
	struct failure_record rows[] = {
		a_failure(1, CAUSE_SECCOMP_DENIED, DISP_FATAL, T0),
		a_failure(2, CAUSE_SECCOMP_DENIED, DISP_FATAL, T0 + 1),
		a_failure(3, CAUSE_SECCOMP_DENIED, DISP_FATAL, T0 + 2 * MINUTE),
		a_failure(4, CAUSE_DISK_FULL, DISP_HANDLED, T0),
	};

	put(s, &t, rows, 4, 1);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(number(f->path, "SELECT count(*) FROM rollup"), 3);
	assert_int_equal(number(f->path, "SELECT sum(failures) FROM rollup"), 4);
	assert_int_equal(number(f->path, "SELECT sum(verdicts) FROM rollup"), 1);
	assert_int_equal(number(f->path, ROLLUP_DIFFERS), 0);
	put(s, &t, rows + 2, 2, 3); /* two are gone, the verdict moves */
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(number(f->path, "SELECT count(*) FROM rollup"), 2);
	assert_int_equal(number(f->path, ROLLUP_DIFFERS), 0);
	rows[2].count += 5;
	put(s, &t, rows + 2, 2, 3);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(number(f->path, "SELECT sum(events) FROM rollup"), 8 + 3);
	store_close(s);
}

static void test_unchanged_is_not_written(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct task_record t = a_task(1, "t-1", 1, STATE_RUNNING);
	struct failure_record row = a_failure(1, CAUSE_SECCOMP_DENIED, DISP_FATAL, T0);
	struct stat before, after;
	char wal[160];

	put(s, &t, &row, 1, 1);
	assert_int_equal(store_commit(s), 0);
	snprintf(wal, sizeof(wal), "%s-wal", f->path);
	assert_int_equal(stat(wal, &before), 0);
	for (int i = 0; i < 10; i++) {
		assert_int_equal(store_put_failures(s, &t, false), 0);
		assert_int_equal(store_commit(s), 0);
	}
	assert_int_equal(stat(wal, &after), 0);
	assert_int_equal(after.st_size, before.st_size);
	store_close(s);
}

static void test_labels_are_replaced(void **state)
{
	struct label three[] = { { (char *)"app", (char *)"a" },
				 { (char *)"domain", (char *)"b" },
				 { (char *)"n", (char *)"c\xff" } };
	struct label one[] = { { (char *)"app", (char *)"z" } };
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct task_record t = a_task(1, "t-1", 1, STATE_RUNNING), got = {};

	t.labels = three;
	t.n_labels = 3;
	assert_int_equal(store_put_task(s, &t), 0);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(query_task(store_query(s), 1, false, &got), 0);
	assert_int_equal(got.n_labels, 3);
	assert_string_equal(got.labels[2].value, "c\xff");
	task_record_clear(&got);
	t.labels = one;
	t.n_labels = 1;
	assert_int_equal(store_put_task(s, &t), 0);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(query_task(store_query(s), 1, false, &got), 0);
	assert_int_equal(got.n_labels, 1);
	assert_string_equal(got.labels[0].value, "z");
	task_record_clear(&got);
	store_close(s);
}

static void test_last_attempt(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct task_record t = a_task(5, "t", 1, STATE_RUNNING);
	struct task_record *open = NULL;
	int attempt = -1;
	int64_t id = -1;
	size_t n = 0;

	assert_int_equal(store_last_attempt(s, "nightly", "t", &attempt, &id), 0);
	assert_int_equal(attempt, 0);
	assert_int_equal(id, 0);
	assert_int_equal(store_put_task(s, &t), 0);
	/* Queued is as good as stored. */
	for (int i = 0; i < 2; i++) {
		assert_int_equal(store_last_attempt(s, "nightly", "t", &attempt, &id), 0);
		assert_int_equal(attempt, 1);
		assert_int_equal(id, 5);
		assert_int_equal(store_commit(s), 0);
	}
	assert_int_equal(store_open_tasks(s, &open, &n), 0);
	assert_int_equal(n, 1);
	assert_int_equal(open[0].id, 5);
	task_record_clear(&open[0]);
	free(open);
	t.state = STATE_FINAL;
	assert_int_equal(store_put_task(s, &t), 0);
	assert_int_equal(store_last_attempt(s, "nightly", "t", &attempt, &id), 0);
	assert_int_equal(id, 0);
	assert_int_equal(store_commit(s), 0);
	t = a_task(6, "t", 2, STATE_RUNNING);
	assert_int_equal(store_put_task(s, &t), 0);
	assert_int_equal(store_last_attempt(s, "nightly", "t", &attempt, &id), 0);
	assert_int_equal(attempt, 2);
	assert_int_equal(id, 6);
	assert_int_equal(store_last_attempt(s, "other", "t", &attempt, &id), 0);
	assert_int_equal(attempt, 0);
	store_close(s);
}

/* A record that the database refuses is dropped and counted; those around it are written. */
static void test_refused_record(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct task_record good = a_task(1, "t-1", 1, STATE_FINAL), orphan;
	struct tally_record tally = { .task_id = 1, .syscall = "open", .err = ENOENT, .count = 2 };

	orphan = a_task(99, "never stored", 1, STATE_FINAL);
	struct failure_record row = a_failure(1, CAUSE_SECCOMP_DENIED, DISP_FATAL, T0);
	orphan.failures = &row;
	orphan.n_failures = 1;
	assert_int_equal(store_put_failures(s, &orphan, false), 0);
	assert_int_equal(store_put_task(s, &good), 0);
	assert_int_equal(store_add_tally(s, &tally, 1), 0);
	assert_int_equal(store_add_tally(s, &tally, 1), 0);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(store_queued(s), 0);
	assert_int_equal(store_dropped(s), 1);
	assert_int_equal(number(f->path, "SELECT count(*) FROM task"), 1);
	assert_int_equal(number(f->path, "SELECT count(*) FROM failure"), 0);
	assert_int_equal(number(f->path, "SELECT count FROM tally"), 4);
	store_close(s);
}

static void test_state_rows(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	char *examples[] = { (char *)"nightly/t-1", (char *)"nightly/\xff\n" };
	struct alert_record a = { .level = LEVEL_SANDBOX,
				  .primitive = (char *)"seccomp",
				  .firing = true,
				  .fired_ns = T0,
				  .tasks = 9,
				  .expected = 1.25,
				  .window_ns = MINUTE,
				  .examples = examples,
				  .n_examples = 2 };
	struct sensor_record sensors[] = { { (char *)"cap", (char *)"refused", (char *)"no",
					     (char *)"x", true },
					   { (char *)"sys", (char *)"active", NULL, NULL, false } };
	struct daemon_info d;

	assert_int_equal(query_daemon(store_query(s), &d), -ENOENT);
	assert_int_equal(store_put_alert(s, &a), 0);
	assert_int_equal(a.id, 1); /* at once */
	assert_int_equal(store_commit(s), 0);
	a.firing = false;
	a.resolved_ns = T0 + 1;
	assert_int_equal(store_put_alert(s, &a), 0);
	assert_int_equal(a.id, 1);
	assert_int_equal(store_put_sensors(s, sensors, 2), 0);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(store_put_sensors(s, sensors + 1, 1), 0);
	assert_int_equal(store_put_counter(s, "lost", 3, T0), 0);
	assert_int_equal(store_put_counter(s, "lost", 4, T0 + 1), 0);
	assert_int_equal(store_add_gap(s, T0, T0 + 5, "restart"), 0);
	assert_int_equal(store_put_daemon(s, 41, "0.1", T0, T0 + 1, 0, UINT64_MAX), 0);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(number(f->path, "SELECT count(*) FROM alert"), 1);
	assert_int_equal(number(f->path, "SELECT resolved_ns FROM alert"), T0 + 1);
	assert_int_equal(number(f->path, "SELECT count(*) FROM sensor"), 1);
	assert_int_equal(number(f->path, "SELECT value FROM counter"), 4);
	assert_int_equal(number(f->path, "SELECT to_ns - from_ns FROM gap"), 5);
	assert_int_equal(query_daemon(store_query(s), &d), 0);
	assert_int_equal(d.pid, 41);
	assert_int_equal(d.stopped_ns, 0);
	assert_true(d.generation == UINT64_MAX);
	assert_string_equal(d.version, "0.1");
	store_close(s);
}

#define T(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_failures_keep_ids),   T(test_late_rows),
		T(test_rollup_in_step),	     T(test_unchanged_is_not_written),
		T(test_labels_are_replaced), T(test_last_attempt),
		T(test_refused_record),	     T(test_state_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
