/* SPDX-License-Identifier: GPL-2.0-only */
/* Tool calls, what befell channels, and the campaign's word: into the database and back. */
#include "db_fixture.h"

#include "daemon/schema.h"

static struct call_fault_record a_fault(enum cause cause, struct text subject)
{
	return (struct call_fault_record){ .cause = cause,
					   .leg = LEG_WRITE,
					   .sure = true,
					   .at = 4096,
					   .subject = subject,
					   .say = (char *)"cut at 4096 bytes" };
}

struct taken {
	struct call_record calls[8];
	size_t n;
	int stop_after; /* 0: never */
};

static int take(const struct call_record *c, const struct task_record *t, void *arg)
{
	struct taken *k = arg;

	assert_string_equal(t->campaign, "nightly");
	if (k->n < ARRAY_SIZE(k->calls))
		assert_int_equal(call_record_copy(&k->calls[k->n], c), 0);
	k->n++;
	return k->stop_after && (int)k->n == k->stop_after ? 77 : 0;
}

static void taken_clear(struct taken *k)
{
	for (size_t i = 0; i < k->n && i < ARRAY_SIZE(k->calls); i++)
		call_record_clear(&k->calls[i]);
	*k = (struct taken){ 0 };
}

static void same_text(const struct text *a, const struct text *b)
{
	assert_int_equal(a->len, b->len);
	if (a->len)
		assert_memory_equal(a->data, b->data, a->len);
}

static void same_call(const struct call_record *a, const struct call_record *b)
{
	assert_int_equal(a->task_id, b->task_id);
	assert_int_equal(a->session, b->session);
	assert_int_equal(a->source, b->source);
	assert_int_equal(a->end, b->end);
	assert_string_equal(a->rpc_id, b->rpc_id);
	assert_string_equal(a->method, b->method);
	assert_string_equal(a->tool, b->tool);
	same_text(&a->subject, &b->subject);
	assert_string_equal(a->args, b->args);
	assert_int_equal(a->started_ns, b->started_ns);
	assert_int_equal(a->ended_ns, b->ended_ns);
	assert_int_equal(a->request_len, b->request_len);
	assert_int_equal(a->answer_len, b->answer_len);
	assert_string_equal(a->request_digest, b->request_digest);
	assert_string_equal(a->answer_digest, b->answer_digest);
	assert_int_equal(a->cut, b->cut);
	assert_int_equal(a->code, b->code);
	same_text(&a->text, &b->text);
	assert_int_equal(a->server_pid, b->server_pid);
	assert_int_equal(a->client_pid, b->client_pid);
	assert_int_equal(a->n_faults, b->n_faults);
	for (size_t i = 0; i < a->n_faults; i++) {
		assert_int_equal(a->faults[i].cause, b->faults[i].cause);
		assert_int_equal(a->faults[i].leg, b->faults[i].leg);
		assert_int_equal(a->faults[i].sure, b->faults[i].sure);
		assert_int_equal(a->faults[i].at, b->faults[i].at);
		same_text(&a->faults[i].subject, &b->faults[i].subject);
		assert_string_equal(a->faults[i].say, b->faults[i].say);
	}
}

#define HEX "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* Every field; bytes that are no text stay what they are. */
static void test_round_trip(void **state)
{
	static char nul[] = "/w/a\0b\xff\n", wrong[] = "\xc3(\0\x1b[31m";
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct call_fault_record faults[] = {
		a_fault(CAUSE_PAYLOAD_TRUNCATED, (struct text){ nul, 8 }),
		{ .cause = CAUSE_ENCODING_REPLACEMENT, .say = (char *)"" },
	};
	struct call_record c = a_call(7, 0);
	struct taken k = { 0 };

	c.source = CALL_TOLD;
	c.end = CALL_TOOL_ERROR;
	c.rpc_id = (char *)"\"a\"";
	c.method = (char *)"tools/call";
	c.tool = (char *)"wri\xff te";
	c.subject = (struct text){ nul, 8 };
	c.args = (char *)"{\"path\":\"…\"}";
	c.request_len = INT64_MAX;
	c.answer_len = 17;
	strcpy(c.request_digest, HEX);
	c.cut = true;
	c.code = -32602;
	c.text = (struct text){ wrong, 8 };
	c.server_pid = 41;
	c.faults = faults;
	c.n_faults = 2;
	assert_int_equal(store_one_task(s, 7), 0);
	assert_int_equal(store_put_call(s, &c), 0);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(query_task_calls(store_query(s), 7, take, &k), 0);
	assert_int_equal(k.n, 1);
	same_call(&k.calls[0], &c);
	assert_true(k.calls[0].id > 0);
	assert_int_equal(number(f->path, "SELECT failed FROM call"), 1);
	assert_int_equal(number(f->path, "SELECT n_faults FROM call_view"), 2);
	taken_clear(&k);
	store_close(s);
}

/* What is not known is NULL, and comes back as not known. */
static void test_nothing_known(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct call_record c = { .task_id = 7, .end = CALL_NEVER, .started_ns = T0 };
	struct taken k = { 0 };

	assert_int_equal(store_one_task(s, 7), 0);
	assert_int_equal(store_put_call(s, &c), 0);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(query_task_calls(store_query(s), 7, take, &k), 0);
	assert_int_equal(k.n, 1);
	assert_null(k.calls[0].tool);
	assert_null(k.calls[0].method);
	assert_null(k.calls[0].rpc_id);
	assert_null(k.calls[0].args);
	assert_null(k.calls[0].text.data);
	assert_int_equal(k.calls[0].ended_ns, 0);
	assert_int_equal(k.calls[0].end, CALL_NEVER);
	assert_string_equal(k.calls[0].answer_digest, "");
	assert_int_equal(number(f->path, "SELECT count(*) FROM call WHERE ended_ns IS NULL AND"
					 " faults IS NULL AND tool IS NULL AND code IS NULL AND"
					 " length(subject) = 0 AND failed"),
			 1);
	taken_clear(&k);
	store_close(s);
}

/* Ten thousand in one batch, and one of a task that is gone among them: it alone is dropped. */
static void test_many(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct call_record gone = a_call(4711, 0);
	struct taken k = { .stop_after = 5 };

	assert_int_equal(store_one_task(s, 7), 0);
	for (int i = 0; i < 10000; i++) {
		struct call_record c = a_call(7, i);

		assert_int_equal(store_put_call(s, &c), 0);
		if (i == 300)
			assert_int_equal(store_put_call(s, &gone), 0);
	}
	assert_true(store_queued(s) > 10000 * sizeof(gone));
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(store_queued(s), 0);
	assert_int_equal(store_dropped(s), 1);
	assert_int_equal(number(f->path, "SELECT count(*) FROM call"), 10000);
	assert_int_equal(number(f->path, "SELECT count(*) FROM call WHERE task <> 7"), 0);
	assert_int_equal(query_task_calls(store_query(s), 7, take, &k), 77);
	assert_int_equal(k.n, 5);
	assert_int_equal(k.calls[4].started_ns, T0 + 4 * NSEC_PER_MSEC); /* oldest first */
	taken_clear(&k);
	store_close(s);
}

/* A commit that fails leaves all of them, and what it refused is counted once it succeeds. */
static void test_retry(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct call_record c = a_call(7, 0), gone = a_call(4711, 0);
	sqlite3 *other;

	assert_int_equal(store_one_task(s, 7), 0);
	assert_int_equal(store_put_call(s, &c), 0);
	assert_int_equal(store_put_call(s, &gone), 0);
	assert_int_equal(sqlite3_open(f->path, &other), SQLITE_OK);
	assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", 0, 0, 0), SQLITE_OK);
	assert_int_equal(store_commit(s), -EBUSY);
	assert_int_equal(store_dropped(s), 0);
	sqlite3_close(other);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(store_dropped(s), 1);
	assert_int_equal(number(f->path, "SELECT count(*) FROM call"), 1);
	store_close(s);
}

/* The bound of the queue holds for calls too. */
static void test_bound(void **state)
{
	static char args[256 * 1024];
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct call_record c = a_call(7, 0);
	int n = 0;

	memset(args, 'a', sizeof(args) - 1);
	c.args = args;
	assert_int_equal(store_one_task(s, 7), 0);
	while (n < 1000 && store_put_call(s, &c) == 0)
		n++;
	assert_in_range(n, 200, 256); /* 64 MiB */
	assert_int_equal(store_put_call(s, &c), -ENOBUFS);
	assert_int_equal(store_dropped(s), 2);
	assert_true(store_queued(s) <= 64 * 1024 * 1024);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(number(f->path, "SELECT count(*) FROM call"), n);
	assert_int_equal(store_put_call(s, &c), 0);
	store_close(s);
}

static int take_incident(const struct incident_record *i, void *arg)
{
	return incident_record_copy(arg, i) ? -ENOMEM : 0;
}

static void test_incident(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct incident_record in = { .task_id = 7,
				      .session = 2,
				      .kind = INCIDENT_BLOCKED,
				      .at_ns = T0,
				      .pid = 41,
				      .other_pid = 42,
				      .by_server = true,
				      .err = EPIPE,
				      .bytes = 65536,
				      .open = 3,
				      .say = (char *)"it waits" };
	struct incident_record got = { 0 };

	assert_int_equal(store_one_task(s, 7), 0);
	assert_int_equal(store_put_incident(s, &in), 0);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(query_incidents(store_query(s), 7, take_incident, &got), 0);
	assert_int_equal(got.session, 2);
	assert_int_equal(got.kind, INCIDENT_BLOCKED);
	assert_int_equal(got.at_ns, T0);
	assert_int_equal(got.pid, 41);
	assert_int_equal(got.other_pid, 42);
	assert_true(got.by_server);
	assert_int_equal(got.err, EPIPE);
	assert_int_equal(got.bytes, 65536);
	assert_int_equal(got.open, 3);
	assert_string_equal(got.say, "it waits");
	incident_record_clear(&got);
	assert_int_equal(query_incidents(store_query(s), 8, take_incident, &got), 0);
	assert_null(got.say);
	store_close(s);
}

/* They go with their task, and their numbers do not come back. */
static void test_retention(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct task_record old = a_task(1, "old", 1, STATE_FINAL), t = a_task(2, "new", 1, 0);
	struct incident_record in = { .task_id = 1, .kind = INCIDENT_CLOSED, .at_ns = T0 };
	struct call_record c = a_call(1, 0);
	struct taken k = { 0 };
	int r;

	assert_int_equal(store_put_task(s, &old), 0);
	assert_int_equal(store_put_task(s, &t), 0);
	assert_int_equal(store_put_call(s, &c), 0);
	assert_int_equal(store_put_call(s, &c), 0);
	assert_int_equal(store_put_incident(s, &in), 0);
	assert_int_equal(store_commit(s), 0);
	do { /* a slice of time at once */
		r = store_retain(s, T0 + 60 * MINUTE, 30 * MINUTE, INT64_MAX);
	} while (r == 1);
	assert_int_equal(r, 0);
	assert_int_equal(number(f->path, "SELECT count(*) FROM call"), 0);
	assert_int_equal(number(f->path, "SELECT count(*) FROM incident"), 0);
	c.task_id = 2;
	assert_int_equal(store_put_call(s, &c), 0);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(query_task_calls(store_query(s), 2, take, &k), 0);
	assert_int_equal(k.n, 1);
	assert_int_equal(k.calls[0].id, 3);
	taken_clear(&k);
	store_close(s);
}

/* A task of very many calls goes bit by bit; the loop is not held up. */
static void test_retention_of_many(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct task_record t = a_task(1, "old", 1, STATE_FINAL);
	struct call_record c = a_call(1, 0);
	int64_t last = 20000;
	int slices = 1;

	assert_int_equal(store_put_task(s, &t), 0);
	for (int i = 0; i < last; i++)
		assert_int_equal(store_put_call(s, &c), 0);
	assert_int_equal(store_commit(s), 0);
	while (store_retain(s, T0 + 60 * MINUTE, 30 * MINUTE, INT64_MAX) == 1) {
		int64_t left = number(f->path, "SELECT count(*) FROM call");

		assert_true(left < last);
		last = left;
		slices++;
	}
	assert_true(slices > 2);
	assert_int_equal(number(f->path, "SELECT count(*) FROM call"), 0);
	assert_int_equal(number(f->path, "SELECT count(*) FROM task"), 0);
	store_close(s);
}

static int take_record(const struct task_record *t, void *arg)
{
	struct task_record *ret = arg;

	task_record_clear(ret);
	return task_record_copy(ret, t, true);
}

static void test_counts_and_result(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct task_record t = a_task(7, "t-7", 1, STATE_RUNNING), got = { 0 };
	struct query_filter one = { .task = "t-7" };

	t.calls = 12;
	t.calls_failed = 2;
	t.call_faults = 1;
	assert_int_equal(store_put_task(s, &t), 0);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(query_tasks(store_query(s), &one, true, take_record, &got), 0);
	assert_int_equal(got.calls, 12);
	assert_int_equal(got.calls_failed, 2);
	assert_int_equal(got.call_faults, 1);
	assert_int_equal(got.result, RESULT_NONE);
	assert_null(got.why);
	t.result = RESULT_FAIL;
	t.why = (char *)"no \xff plan";
	assert_int_equal(store_put_task(s, &t), 0);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(query_tasks(store_query(s), &one, true, take_record, &got), 0);
	assert_int_equal(got.result, RESULT_FAIL);
	assert_string_equal(got.why, "no \xff plan");
	/* Somebody judges it again; of several words before a commit the last one counts. */
	assert_int_equal(store_put_result(s, 7, RESULT_FAIL, "x"), 0);
	assert_int_equal(store_put_result(s, 7, RESULT_PASS, NULL), 0);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(query_tasks(store_query(s), &one, true, take_record, &got), 0);
	assert_int_equal(got.result, RESULT_PASS);
	assert_null(got.why);
	task_record_clear(&got);
	store_close(s);
}

/* A database of the first version, with a task in it. */
static void test_migration(void **state)
{
	struct fixture *f = *state;
	struct store *s;
	struct task_record got = { 0 };
	struct query_filter any = { 0 };
	sqlite3 *h;

	assert_int_equal(mkdir(f->dir, 0755), 0);
	assert_int_equal(sqlite3_open(f->path, &h), SQLITE_OK);
	assert_int_equal(schema_migrate(h, schema_migrations, 1), 0);
	assert_int_equal(sqlite3_exec(h,
				      "INSERT INTO task (id, campaign, name, attempt, state,"
				      " started_ns, outcome, source) VALUES (7, 'nightly', 't-7',"
				      " 1, 'final', 1, 'ok', 'run')",
				      0, 0, 0),
			 SQLITE_OK);
	sqlite3_close(h);
	s = open_store(f);
	assert_int_equal(number(f->path, "PRAGMA user_version"), STORE_VERSION);
	assert_int_equal(query_tasks(store_query(s), &any, true, take_record, &got), 0);
	assert_string_equal(got.task, "t-7");
	assert_int_equal(got.calls, 0);
	assert_int_equal(got.result, RESULT_NONE);
	assert_int_equal(store_next_instance(s), 8);
	task_record_clear(&got);
	store_close(s);
}

#define T(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_round_trip),
		T(test_nothing_known),
		T(test_many),
		T(test_retry),
		T(test_bound),
		T(test_incident),
		T(test_retention),
		T(test_retention_of_many),
		T(test_counts_and_result),
		T(test_migration),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
