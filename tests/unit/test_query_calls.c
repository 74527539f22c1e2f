/* SPDX-License-Identifier: GPL-2.0-only */
/* Which calls and tasks a question finds; and a call's record, of what the daemon holds. */
#include "db_fixture.h"

static int name_of(const struct task_record *t, void *arg)
{
	strcat(strcat(arg, t->task), " ");
	return 0;
}

static void put_judged(struct store *s, int64_t id, const char *name, enum campaign_result result,
		       enum cause cause, enum disposition disposition)
{
	struct task_record t = a_task(id, name, 1, STATE_FINAL);
	struct failure_record row = a_failure(1, cause, disposition, T0);

	t.result = result;
	put(s, &t, &row, cause ? 1 : 0, 0);
}

static void test_disagree(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct query_filter differ = { .disagree = true };
	struct task_record open = a_task(12, "open", 1, STATE_RUNNING);
	char names[256] = "";

	put_judged(s, 1, "pass-clean", RESULT_PASS, 0, 0);
	put_judged(s, 2, "PASS-FATAL", RESULT_PASS, CAUSE_SECCOMP_DENIED, DISP_FATAL);
	put_judged(s, 3, "PASS-CONTRIBUTING", RESULT_PASS, CAUSE_DISK_FULL, DISP_CONTRIBUTING);
	put_judged(s, 4, "pass-handled", RESULT_PASS, CAUSE_DISK_FULL, DISP_HANDLED);
	put_judged(s, 5, "PASS-WORKLOAD", RESULT_PASS, CAUSE_EXIT_NON_ZERO, DISP_FATAL);
	put_judged(s, 6, "FAIL-CLEAN", RESULT_FAIL, 0, 0);
	put_judged(s, 7, "fail-fatal", RESULT_FAIL, CAUSE_ENCODING_REPLACEMENT, DISP_FATAL);
	put_judged(s, 8, "FAIL-WORKLOAD", RESULT_FAIL, CAUSE_EXIT_NON_ZERO, DISP_FATAL);
	put_judged(s, 9, "FAIL-HANDLED", RESULT_FAIL, CAUSE_SECCOMP_DENIED, DISP_HANDLED);
	put_judged(s, 10, "unsaid", RESULT_NONE, 0, 0);
	put_judged(s, 11, "unsaid-fatal", RESULT_NONE, CAUSE_SECCOMP_DENIED, DISP_FATAL);
	open.result = RESULT_FAIL;
	assert_int_equal(store_put_task(s, &open), 0);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(query_tasks(store_query(s), &differ, false, name_of, names), 0);
	assert_string_equal(names, "PASS-FATAL PASS-CONTRIBUTING PASS-WORKLOAD FAIL-CLEAN "
				   "FAIL-WORKLOAD FAIL-HANDLED ");
	store_close(s);
}

static int count_one(const struct call_record *c, const struct task_record *t, void *arg)
{
	++*(size_t *)arg;
	return 0;
}

static size_t count_calls(struct store *s, const struct query_filter *f)
{
	size_t n = 0;

	assert_int_equal(query_calls(store_query(s), f, count_one, &n), 0);
	return n;
}

static void test_filters(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct call_fault_record fault = { .cause = CAUSE_PAYLOAD_TRUNCATED };
	struct call_record c[3] = { a_call(1, 0), a_call(2, 1), a_call(2, 2) };

	c[1].end = CALL_ERROR;
	c[1].subject = (struct text){ (char *)"/w/plan.md", 10 };
	c[2].tool = (char *)"read_file2";
	c[2].faults = &fault;
	c[2].n_faults = 1;
	assert_int_equal(store_one_task(s, 1) + store_one_task(s, 2), 0);
	for (size_t i = 0; i < ARRAY_SIZE(c); i++)
		assert_int_equal(store_put_call(s, &c[i]), 0);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(count_calls(s, &(struct query_filter){ 0 }), 3);
	assert_int_equal(count_calls(s, &(struct query_filter){ .attempt = 2 }), 2);
	assert_int_equal(count_calls(s, &(struct query_filter){ .campaign = "none" }), 0);
	assert_int_equal(count_calls(s, &(struct query_filter){ .tool = "read_file" }), 2);
	assert_int_equal(count_calls(s, &(struct query_filter){ .subject = "plan" }), 1);
	assert_int_equal(count_calls(s, &(struct query_filter){ .failed = true }), 2);
	assert_int_equal(count_calls(s, &(struct query_filter){ .limit = 1 }), 1);
	assert_int_equal(count_calls(s, &(struct query_filter){ .since_ns = T0 + NSEC_PER_MSEC }),
			 2);
	assert_int_equal(count_calls(s, &(struct query_filter){ .until_ns = T0 + NSEC_PER_MSEC }),
			 1);
	store_close(s);
}

/* From the daemon's memory: boottime becomes UTC, digests hex, what was not seen nothing. */
static void test_from_call(void **state)
{
	struct call c = { .id = 5,
			  .session = 2,
			  .instance = 7,
			  .end = CALL_ERROR,
			  .server = { .tgid = 41 },
			  .client = { .tgid = 40 },
			  .rpc_id = (char *)"7",
			  .method = (char *)"tools/call",
			  .tool = (char *)"edit",
			  .subject = { (char *)"/w/x", 4 },
			  .request_len = UINT64_MAX,
			  .started_ns = 100,
			  .code = -32601 };
	struct call_fault fault = { .cause = CAUSE_NULL_BYTE_ARGUMENT, .at = 3 };
	struct call_record r;

	assert_int_equal(text_set(&fault.subject, "a\0b", 3), 0);
	assert_int_equal(call_add_fault(&c, &fault), 0);
	for (int i = 0; i < CALL_DIGEST; i++)
		c.request_digest[i] = (uint8_t)(0xa0 + i);
	assert_int_equal(call_record_from(&r, &c, T0), 0);
	assert_int_equal(r.task_id, 7);
	assert_int_equal(r.started_ns, T0 + 100);
	assert_int_equal(r.ended_ns, 0);
	assert_int_equal(r.request_len, INT64_MAX);
	assert_string_equal(r.request_digest,
			    "a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf");
	assert_string_equal(r.answer_digest, "");
	assert_int_equal(r.server_pid, 41);
	assert_int_equal(r.client_pid, 40);
	assert_true(call_record_failed(&r));
	assert_int_equal(r.n_faults, 1);
	assert_int_equal(r.faults[0].cause, CAUSE_NULL_BYTE_ARGUMENT);
	assert_int_equal(r.faults[0].at, 3);
	assert_memory_equal(r.faults[0].subject.data, "a\0b", 3);
	assert_true(r.faults[0].subject.data != c.faults[0].subject.data);
	assert_true(call_record_size(&r) > sizeof(r) + 4 + sizeof(*r.faults));
	call_record_clear(&r);
	text_free(&c.faults[0].subject);
	free(c.faults);
}

#define T(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_disagree),
		T(test_filters),
		cmocka_unit_test(test_from_call),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
