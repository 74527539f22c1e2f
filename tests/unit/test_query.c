/* SPDX-License-Identifier: GPL-2.0-only */
/* Records come back as they went in, and by the filters that they match. */
#include <signal.h>

#include "db_fixture.h"

static int count_task(const struct task_record *t, void *arg)
{
	++*(int *)arg;
	return 0;
}

static int count_failure(const struct failure_record *f, const struct task_record *t, void *arg)
{
	++*(int *)arg;
	return 0;
}

static int tasks(struct query *q, struct query_filter f)
{
	int n = 0;

	assert_int_equal(query_tasks(q, &f, true, count_task, &n), 0);
	return n;
}

static int failures(struct query *q, struct query_filter f)
{
	int n = 0;

	assert_int_equal(query_failures(q, &f, count_failure, &n), 0);
	return n;
}

/* ---- bytes ---- */

static void fill_hostile(struct failure_record *f, char *big)
{
	static char subject[] = "/tmp/\xff\xfe\0nul\nline\r\x1b[31m\xe2\x80\xae end";
	static char comm[] = "evil\n\x80";

	f->subject = (struct text){ subject, sizeof(subject) - 1 };
	f->comm = (struct text){ comm, sizeof(comm) - 1 };
	memset(big, 0xf5, 4096);
	f->exe = (struct text){ big, 4096 };
	f->syscall = (char *)"openat";
	f->summary = (char *)"a \"quoted\"\nsummary with \xc3\xa9 and \xff";
	f->remedy = (char *)"'; DROP TABLE task; --";
	f->signal = SIGKILL;
	f->err = 0;
}

static void expect_task(const struct task_record *got, const struct task_record *t)
{
	assert_string_equal(got->campaign, t->campaign);
	assert_string_equal(got->task, t->task);
	assert_int_equal(got->attempt, 2);
	assert_int_equal(got->state, STATE_FINAL);
	assert_int_equal(got->outcome, OUTCOME_FAILED);
	assert_int_equal(got->started_ns, t->started_ns);
	assert_int_equal(got->ended_ns, t->ended_ns);
	assert_int_equal(got->exit_code, -1);
	assert_int_equal(got->signal, SIGSEGV);
	assert_string_equal(got->note, "n\xff");
	assert_string_equal(got->cgroup, "/a/\xff");
	assert_true(got->cgroup_id == UINT64_MAX);
	assert_string_equal(got->source, "run");
	assert_true(got->provisional);
	assert_int_equal(got->failed, 1);
	assert_int_equal(got->noise, 2);
	assert_int_equal(got->handled, 3);
	assert_true(got->lost == INT64_MAX);
	assert_string_equal(got->labels[0].name, "a\xff=b");
	assert_string_equal(got->labels[0].value, "");
}

static void expect_failure(const struct failure_record *r, const struct failure_record *row)
{
	assert_true(r->fingerprint == UINT64_MAX - 1);
	assert_int_equal(r->cause, CAUSE_MEMORY_OOM_CGROUP);
	assert_int_equal(r->subject.len, row->subject.len);
	assert_memory_equal(r->subject.data, row->subject.data, row->subject.len);
	assert_int_equal(r->comm.len, row->comm.len);
	assert_memory_equal(r->comm.data, row->comm.data, row->comm.len);
	assert_int_equal(r->exe.len, 4096);
	assert_memory_equal(r->exe.data, row->exe.data, 4096);
	assert_string_equal(r->summary, row->summary);
	assert_string_equal(r->remedy, row->remedy);
	assert_string_equal(r->syscall, "openat");
	assert_int_equal(r->signal, SIGKILL);
	assert_int_equal(r->err, 0);
	assert_int_equal(r->count, 3);
	assert_int_equal(r->first_ns, T0);
	assert_int_equal(r->last_ns, T0 + NSEC_PER_SEC);
	assert_int_equal(r->pid, 41);
	assert_int_equal(r->ns_pid, 2);
	assert_int_equal(r->confidence, CONF_CERTAIN);
	assert_int_equal(r->n_evidence, 3);
	for (int i = 0; i < 3; i++)
		assert_string_equal(r->evidence[i], row->evidence[i]);
}

static void test_hostile_bytes(void **state)
{
	static char *evidence[] = { (char *)"one", (char *)"two\n\xff\\x41\"", (char *)"" };
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct task_record t = a_task(3, "t\xff'\n", 2, STATE_FINAL), got = {};
	struct label label = { (char *)"a\xff=b", (char *)"" };
	struct failure_record row =
		a_failure(UINT64_MAX - 1, CAUSE_MEMORY_OOM_CGROUP, DISP_FATAL, T0);
	char big[4096];
	int attempt = 0;
	int64_t open = 0;

	fill_hostile(&row, big);
	row.evidence = evidence;
	row.n_evidence = 3;
	t.campaign = (char *)"c\x01 \xc0\x80";
	t.labels = &label;
	t.n_labels = 1;
	t.note = (char *)"n\xff";
	t.cgroup = (char *)"/a/\xff";
	t.cgroup_id = UINT64_MAX;
	t.signal = SIGSEGV;
	t.exit_code = -1;
	t.provisional = true;
	t.failed = 1;
	t.noise = 2;
	t.handled = 3;
	t.lost = INT64_MAX;
	put(s, &t, &row, 1, row.fingerprint);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(query_task(store_query(s), 3, false, &got), 0);

	expect_task(&got, &t);
	assert_int_equal(got.n_failures, 1);
	assert_int_equal(got.verdict, got.failures[0].id);
	expect_failure(&got.failures[0], &row);
	task_record_clear(&got);

	/* They are found by the same bytes. */
	assert_int_equal(store_last_attempt(s, t.campaign, t.task, &attempt, &open), 0);
	assert_int_equal(attempt, 2);
	assert_int_equal(tasks(store_query(s),
			       (struct query_filter){ .campaign = t.campaign, .task = t.task }),
			 1);
	assert_int_equal(failures(store_query(s), (struct query_filter){ .subject = "/\xff" }), 1);
	assert_int_equal(failures(store_query(s), (struct query_filter){ .subject = "\xff/" }), 0);
	store_close(s);
}

static void test_empty_values(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct task_record t = a_task(1, "t", 1, STATE_RUNNING), got = {};
	struct failure_record row = { .fingerprint = 1, .cause = CAUSE_EXIT_NON_ZERO };

	t.exit_code = 0;
	row.disposition = DISP_FATAL;
	put(s, &t, &row, 1, 1);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(query_task(store_query(s), 1, false, &got), 0);
	assert_int_equal(got.exit_code, 0);
	assert_null(got.note);
	assert_null(got.cgroup);
	assert_int_equal(got.n_failures, 1);
	assert_int_equal(got.failures[0].subject.len, 0);
	assert_null(got.failures[0].syscall);
	assert_null(got.failures[0].comm.data);
	assert_int_equal(got.failures[0].n_evidence, 0);
	task_record_clear(&got);
	assert_int_equal(query_task(store_query(s), 2, false, &got), -ENOENT);
	store_close(s);
}

/* ---- filters ---- */

static void test_task_filters(void **state)
{
	static const char *const shell[] = { "app=shell", NULL };
	static const char *const both[] = { "app=browser", "x=y", NULL };
	static const char *const none[] = { "app=browser", "x=z", NULL };
	struct store *s = small_campaign(*state);
	struct query *q = store_query(s);

	assert_int_equal(tasks(q, (struct query_filter){}), 3); /* the latest attempts */
	assert_int_equal(tasks(q, (struct query_filter){ .all_attempts = true }), 4);
	assert_int_equal(tasks(q, (struct query_filter){ .task = "t-1" }), 1);
	assert_int_equal(tasks(q, (struct query_filter){ .task = "t-1", .attempt = 1 }), 1);
	assert_int_equal(tasks(q, (struct query_filter){ .task = "t-1", .attempt = 3 }), 0);
	assert_int_equal(tasks(q, (struct query_filter){ .campaign = "weekly" }), 0);
	assert_int_equal(tasks(q, (struct query_filter){ .labels = shell }), 1);
	assert_int_equal(tasks(q, (struct query_filter){ .labels = both }), 1);
	assert_int_equal(tasks(q, (struct query_filter){ .labels = none }), 0);
	assert_int_equal(tasks(q, (struct query_filter){ .outcome = "ok" }), 1);
	assert_int_equal(tasks(q, (struct query_filter){ .state = "running" }), 1);
	assert_int_equal(tasks(q, (struct query_filter){ .since_ns = T0 + 3 * NSEC_PER_SEC }), 2);
	assert_int_equal(tasks(q, (struct query_filter){ .until_ns = T0 + 3 * NSEC_PER_SEC }), 1);
	assert_int_equal(tasks(q, (struct query_filter){ .primitive = "disk" }), 1);
	assert_int_equal(tasks(q, (struct query_filter){ .primitive = "disk", .all = true }), 2);
	assert_int_equal(tasks(q, (struct query_filter){ .subject = "data" }), 1);
	assert_int_equal(tasks(q, (struct query_filter){ .level = "interface" }), 0);
	assert_int_equal(tasks(q, (struct query_filter){ .limit = 2 }), 2);
	store_close(s);
}

static int remember(const struct task_record *t, void *arg)
{
	int64_t *list = arg;

	list[++list[0]] = t->id;
	return 0;
}

static int stop_at_once(const struct task_record *t, void *arg)
{
	++*(int *)arg;
	return 42;
}

static void test_task_order(void **state)
{
	struct store *s = small_campaign(*state);
	struct query_filter f = { .limit = 2 };
	int64_t list[8] = { 0 };
	int n = 0;

	/* Of the newest two the older first. */
	assert_int_equal(query_tasks(store_query(s), &f, false, remember, list), 0);
	assert_int_equal(list[0], 2);
	assert_int_equal(list[1], 3);
	assert_int_equal(list[2], 4);
	assert_int_equal(query_tasks(store_query(s), &f, false, stop_at_once, &n), 42);
	assert_int_equal(n, 1);
	store_close(s);
}

static void test_failure_filters(void **state)
{
	struct store *s = small_campaign(*state);
	struct query *q = store_query(s);
	struct failure_record one = {};

	assert_int_equal(failures(q, (struct query_filter){}), 5);
	assert_int_equal(failures(q, (struct query_filter){ .all = true }), 7);
	assert_int_equal(failures(q, (struct query_filter){ .task = "t-1" }), 3);
	assert_int_equal(failures(q, (struct query_filter){ .task = "t-1", .attempt = 1 }), 1);
	assert_int_equal(failures(q, (struct query_filter){ .cause = "denied" }), 4);
	assert_int_equal(failures(q, (struct query_filter){ .cause = "denied",
							    .level = "sandbox",
							    .primitive = "seccomp" }),
			 4);
	assert_int_equal(failures(q, (struct query_filter){ .since_ns = T0 + MINUTE,
							    .until_ns = T0 + 4 * MINUTE }),
			 2);
	assert_int_equal(failures(q, (struct query_filter){ .limit = 3 }), 3);
	assert_int_equal(query_failure(q, 1, &one), 0);
	assert_int_equal(one.task_id, 1);
	failure_record_clear(&one);
	assert_int_equal(query_failure(q, 999, &one), -ENOENT);
	store_close(s);
}

static int count_alert(const struct alert_record *a, void *arg)
{
	assert_string_equal(a->examples[1], "nightly/\xff");
	assert_true(a->expected > 1.24 && a->expected < 1.26);
	++*(int *)arg;
	return 0;
}

static int check_sensor(const struct sensor_record *row, void *arg)
{
	assert_string_equal(row->name, (*(int *)arg)++ ? "cap" : "sys");
	return 0;
}

static int check_counter(const char *name, int64_t value, int64_t at, void *arg)
{
	assert_string_equal(name, "lost");
	assert_int_equal(value, 4);
	assert_int_equal(at, T0);
	++*(int *)arg;
	return 0;
}

static int check_tally(const struct tally_record *t, void *arg)
{
	assert_string_equal(t->syscall, (*(int *)arg)++ ? "ioctl" : "openat");
	assert_int_equal(t->task_id, 1);
	return 0;
}

static void test_state_rows(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct query *q = store_query(s);
	char *examples[] = { (char *)"nightly/t-1", (char *)"nightly/\xff" };
	struct alert_record a = { .level = LEVEL_SANDBOX,
				  .primitive = (char *)"seccomp",
				  .firing = true,
				  .fired_ns = T0,
				  .expected = 1.25,
				  .examples = examples,
				  .n_examples = 2 };
	struct sensor_record sensors[] = { { (char *)"cap", (char *)"refused", (char *)"no",
					     (char *)"x", true },
					   { (char *)"sys", (char *)"active", NULL, NULL, false } };
	struct tally_record tally[] = { { 1, "ioctl", 0, ENOTTY, 0, 1 },
					{ 1, "openat", 1, ENOENT, 0, 5 } };
	struct task_record t = a_task(1, "t-1", 1, STATE_FINAL);
	int n = 0;

	assert_int_equal(store_put_task(s, &t), 0);
	assert_int_equal(store_add_tally(s, tally, 2), 0);
	assert_int_equal(store_put_alert(s, &a), 0);
	a.id = 0;
	a.firing = false;
	assert_int_equal(store_put_alert(s, &a), 0);
	assert_int_equal(a.id, 2);
	assert_int_equal(store_put_sensors(s, sensors, 2), 0);
	assert_int_equal(store_put_counter(s, "lost", 4, T0), 0);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(query_alerts(q, &(struct query_filter){}, count_alert, &n), 0);
	assert_int_equal(n, 2);
	n = 0;
	assert_int_equal(
		query_alerts(q, &(struct query_filter){ .state = "firing" }, count_alert, &n), 0);
	assert_int_equal(n, 1);
	n = 0;
	assert_int_equal(query_sensors(q, check_sensor, &n), 0);
	assert_int_equal(n, 2);
	n = 0;
	assert_int_equal(query_counters(q, check_counter, &n), 0);
	assert_int_equal(n, 1);
	n = 0;
	assert_int_equal(query_tally(q, 1, check_tally, &n), 0);
	assert_int_equal(n, 2);
	store_close(s);
}

#define T(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_hostile_bytes), T(test_empty_values),	T(test_task_filters),
		T(test_task_order),    T(test_failure_filters), T(test_state_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
