/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "daemon/json.h"

#define STARTED 1795971600123456789LL /* 2026-11-29T17:00:00.123456789Z */

static char *evidence[] = { (char *)"the call left the kernel without having entered",
			    (char *)"profile: \xff" };
static struct label labels[] = { { (char *)"app", (char *)"code-sandbox" },
				 { (char *)"domain", (char *)"file-io" } };

static struct failure_record a_failure(int64_t id, enum disposition disposition)
{
	return (struct failure_record){
		.id = id,
		.task_id = 9,
		.fingerprint = (uint64_t)id + 100,
		.cause = CAUSE_SECCOMP_DENIED,
		.subject = { (char *)"clone3", 6 },
		.disposition = disposition,
		.confidence = CONF_CERTAIN,
		.count = 1,
		.first_ns = STARTED,
		.last_ns = STARTED + 1,
		.syscall = (char *)"clone3",
		.err = EPERM,
		.pid = 41,
		.ns_pid = 2,
		.comm = { (char *)"python3", 7 },
		.exe = { (char *)"/usr/bin/python3", 16 },
		.evidence = evidence,
		.n_evidence = 1,
		.summary = (char *)"seccomp refused clone3",
		.remedy = (char *)"allow clone3",
	};
}

static struct task_record a_task(struct failure_record *failures, size_t n)
{
	return (struct task_record){
		.id = 9,
		.campaign = (char *)"nightly",
		.task = (char *)"t-17",
		.attempt = 1,
		.labels = labels,
		.n_labels = 2,
		.state = STATE_FINAL,
		.started_ns = STARTED,
		.ended_ns = STARTED + NSEC_PER_SEC,
		.outcome = OUTCOME_FAILED,
		.exit_code = 1,
		.handled = 2,
		.noise = 311,
		.failures = failures,
		.n_failures = n,
	};
}

/* Valid for a strict reader too, and on one line. */
static void expect_line(struct json_object *o, const char *expected)
{
	struct json_tokener *tok = json_tokener_new();
	struct json_object *again;
	const char *line;

	assert_non_null(o);
	line = json_line(o);
	if (expected)
		assert_string_equal(line, expected);
	assert_null(strchr(line, '\n'));
	json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	again = json_tokener_parse_ex(tok, line, (int)strlen(line) + 1);
	assert_int_equal(json_tokener_get_error(tok), json_tokener_success);
	assert_true(json_object_equal(o, again));
	json_object_put(again);
	json_tokener_free(tok);
	json_object_put(o);
}

#define NO_CALLS "\"calls\":{\"total\":0,\"failed\":0,\"faults\":0},\"result\":null,\"why\":null"

#define FAILURE_3                                                                                  \
	"{\"id\":\"f3\",\"level\":\"sandbox\",\"primitive\":\"seccomp\",\"cause\":\"denied\","     \
	"\"subject\":\"clone3\",\"disposition\":\"fatal\",\"confidence\":\"certain\","             \
	"\"count\":1,\"first\":\"2026-11-29T17:00:00.123456789Z\","                                \
	"\"last\":\"2026-11-29T17:00:00.123456790Z\",\"syscall\":\"clone3\",\"errno\":\"EPERM\","  \
	"\"signal\":null,\"late\":false,\"pid\":41,\"ns_pid\":2,\"comm\":\"python3\","             \
	"\"exe\":\"/usr/bin/python3\","                                                            \
	"\"evidence\":[\"the call left the kernel without having entered\"],\"caused_by\":null}"

static void test_task(void **state)
{
	struct failure_record f = a_failure(3, DISP_FATAL);
	struct task_record t = a_task(&f, 1);

	t.verdict = 3;
	expect_line(json_task(&t, false),
		    "{\"schema\":1,\"campaign\":\"nightly\",\"task\":\"t-17\",\"attempt\":1,"
		    "\"labels\":{\"app\":\"code-sandbox\",\"domain\":\"file-io\"},"
		    "\"state\":\"final\",\"started\":\"2026-11-29T17:00:00.123456789Z\","
		    "\"ended\":\"2026-11-29T17:00:01.123456789Z\",\"outcome\":\"failed\","
		    "\"exit_code\":1,\"signal\":null,"
		    "\"verdict\":{\"level\":\"sandbox\",\"primitive\":\"seccomp\","
		    "\"cause\":\"denied\",\"subject\":\"clone3\",\"disposition\":\"fatal\","
		    "\"confidence\":\"certain\",\"failure\":\"f3\","
		    "\"summary\":\"seccomp refused clone3\",\"remedy\":\"allow clone3\"},"
		    "\"failures\":[" FAILURE_3 "],\"handled\":2,\"noise\":311,\"lost\":0," NO_CALLS
		    "}");
}

static void test_nulls(void **state)
{
	struct task_record t = a_task(NULL, 0);

	t.n_labels = 0;
	t.state = STATE_RUNNING;
	t.ended_ns = 0;
	t.outcome = OUTCOME_UNKNOWN;
	t.exit_code = -1;
	t.signal = SIGKILL;
	t.lost = INT64_MAX;
	expect_line(json_task(&t, false),
		    "{\"schema\":1,\"campaign\":\"nightly\",\"task\":\"t-17\",\"attempt\":1,"
		    "\"labels\":{},\"state\":\"running\","
		    "\"started\":\"2026-11-29T17:00:00.123456789Z\",\"ended\":null,"
		    "\"outcome\":\"unknown\",\"exit_code\":null,\"signal\":\"SIGKILL\","
		    "\"verdict\":null,\"failures\":[],\"handled\":2,\"noise\":311,"
		    "\"lost\":9223372036854775807," NO_CALLS "}");
}

static size_t count_failures(const struct task_record *t, bool all)
{
	struct json_object *o = json_task(t, all), *list;
	size_t n;

	assert_true(json_object_object_get_ex(o, "failures", &list));
	n = json_object_array_length(list);
	json_object_put(o);
	return n;
}

static void test_dispositions(void **state)
{
	struct failure_record f[] = { a_failure(1, DISP_FATAL), a_failure(2, DISP_CONTRIBUTING),
				      a_failure(3, DISP_HANDLED), a_failure(4, DISP_NOISE) };
	struct task_record t = a_task(f, 4);

	assert_int_equal(count_failures(&t, false), 2);
	assert_int_equal(count_failures(&t, true), 3);
}

static const char *string_at(struct json_object *o, const char *key)
{
	struct json_object *v;

	assert_true(json_object_object_get_ex(o, key, &v));
	return v ? json_object_get_string(v) : NULL;
}

/* Straight from the judge, with fingerprints in place of ids. */
static void test_fingerprints(void **state)
{
	struct failure_record f[] = { a_failure(0, DISP_FATAL), a_failure(0, DISP_CONTRIBUTING) };
	struct task_record t = a_task(f, 2);
	struct json_object *o, *v;

	f[0].fingerprint = 7;
	f[1].fingerprint = 8;
	f[1].subject = (struct text){ (char *)"other", 5 };
	t.verdict_fingerprint = 8;
	o = json_task(&t, false);
	assert_true(json_object_object_get_ex(o, "verdict", &v));
	assert_string_equal(string_at(v, "subject"), "other");
	assert_null(string_at(v, "failure"));
	expect_line(o, NULL);

	f[0].id = 5;
	f[1].caused_by_fingerprint = 7;
	o = json_task(&t, false);
	assert_true(json_object_object_get_ex(o, "failures", &v));
	assert_string_equal(string_at(json_object_array_get_idx(v, 1), "caused_by"), "f5");
	expect_line(o, NULL);
}

static void test_hostile(void **state)
{
	static char subject[] = "/a\0b\n\xff\xe2\x80\xae\"\\\x7f";
	struct label bad[] = { { (char *)"k\xff\n", (char *)"v\x1b[2J" } };
	struct failure_record f = a_failure(3, DISP_FATAL);
	struct task_record t = a_task(&f, 1);
	struct json_object *o, *v;

	f.subject = (struct text){ subject, sizeof(subject) - 1 };
	f.comm = (struct text){ (char *)"\x80", 1 };
	f.exe = (struct text){};
	f.n_evidence = 2;
	f.summary = (char *)"line\nline";
	t.task = (char *)"t\xc3";
	t.labels = bad;
	t.n_labels = 1;
	t.verdict = 3;
	o = json_task(&t, false);
	assert_string_equal(string_at(o, "task"), "t\\xc3");
	assert_true(json_object_object_get_ex(o, "labels", &v));
	assert_string_equal(string_at(v, "k\\xff\\n"), "v\\x1b[2J");
	assert_true(json_object_object_get_ex(o, "verdict", &v));
	assert_string_equal(string_at(v, "subject"), "/a\\x00b\\n\\xff\\xe2\\x80\\xae\"\\\\x7f");
	assert_string_equal(string_at(v, "summary"), "line\\nline");
	assert_true(json_object_object_get_ex(o, "failures", &v));
	v = json_object_array_get_idx(v, 0);
	assert_string_equal(string_at(v, "comm"), "\\x80");
	assert_null(string_at(v, "exe"));
	expect_line(o, NULL);
}

static void test_failure(void **state)
{
	struct failure_record f = a_failure(3, DISP_FATAL);
	struct task_record t = a_task(&f, 1);
	char expected[1024];

	expect_line(json_failure(&f), FAILURE_3);
	snprintf(expected, sizeof(expected),
		 "{\"campaign\":\"nightly\",\"task\":\"t-17\",\"attempt\":1,%s", FAILURE_3 + 1);
	expect_line(json_failure_of(&f, &t), expected);
}

static void test_names(void **state)
{
	static const struct {
		int err, sig;
		const char *error, *signal;
	} rows[] = {
		{ 0, 0, NULL, NULL },
		{ ENOSYS, SIGSYS, "ENOSYS", "SIGSYS" },
		{ EAGAIN, SIGSEGV, "EAGAIN", "SIGSEGV" },
		{ 524, SIGXFSZ, "errno 524", "SIGXFSZ" },
		{ 9999, 999, "errno 9999", "signal 999" },
	};
	struct failure_record f = a_failure(3, DISP_FATAL);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct json_object *o;
		const char *s;

		f.err = rows[i].err;
		f.signal = rows[i].sig;
		f.caused_by = (int64_t)i;
		o = json_failure(&f);
		s = string_at(o, "errno");
		assert_true(rows[i].error ? s && strcmp(s, rows[i].error) == 0 : !s);
		s = string_at(o, "signal");
		assert_true(rows[i].signal ? s && strcmp(s, rows[i].signal) == 0 : !s);
		expect_line(o, NULL);
	}
	f.signal = SIGRTMIN + 2;
	{
		struct json_object *o = json_failure(&f);

		assert_string_equal(string_at(o, "signal"), "SIGRTMIN+2");
		json_object_put(o);
	}
}

static void test_time(void **state)
{
	char s[40];

	json_time(STARTED, s, sizeof(s));
	assert_string_equal(s, "2026-11-29T17:00:00.123456789Z");
	json_time(0, s, sizeof(s));
	assert_string_equal(s, "1970-01-01T00:00:00.000000000Z");
	json_time(-1, s, sizeof(s));
	assert_string_equal(s, "1969-12-31T23:59:59.999999999Z");
	json_time(INT64_MAX, s, sizeof(s));
	assert_string_equal(s, "2262-04-11T23:47:16.854775807Z");
}

static void test_alert_and_sensor(void **state)
{
	char *examples[] = { (char *)"nightly/t-1" };
	struct alert_record a = { .id = 2,
				  .level = LEVEL_SANDBOX,
				  .primitive = (char *)"seccomp",
				  .firing = true,
				  .fired_ns = STARTED,
				  .tasks = 9,
				  .expected = 0.06,
				  .window_ns = 300 * NSEC_PER_SEC,
				  .examples = examples,
				  .n_examples = 1 };
	struct sensor_record s = { (char *)"cap", (char *)"refused", (char *)"no", NULL, true };

	expect_line(json_alert(&a),
		    "{\"schema\":1,\"id\":\"a2\",\"level\":\"sandbox\",\"primitive\":\"seccomp\","
		    "\"campaign\":null,\"state\":\"firing\","
		    "\"fired\":\"2026-11-29T17:00:00.123456789Z\",\"resolved\":null,\"tasks\":9,"
		    "\"expected\":0.06,\"window_seconds\":300,\"examples\":[\"nightly/t-1\"]}");
	expect_line(json_sensor(&s),
		    "{\"name\":\"cap\",\"state\":\"refused\",\"reason\":\"no\",\"lost\":null,"
		    "\"optional\":true}");
}

#define HEX "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void test_call(void **state)
{
	struct call_fault_record fault = { .cause = CAUSE_NULL_BYTE_ARGUMENT,
					   .at = 3,
					   .subject = { (char *)"a\0b", 3 } };
	struct call_record c = { .id = 12,
				 .session = 3,
				 .end = CALL_ERROR,
				 .rpc_id = (char *)"\"7\"",
				 .method = (char *)"tools/call",
				 .tool = (char *)"re\xff"
						 "ad",
				 .subject = { (char *)"a\0b", 3 },
				 .started_ns = STARTED,
				 .ended_ns = STARTED + 1,
				 .request_len = 90,
				 .answer_len = 17,
				 .request_digest = HEX,
				 .code = -32601,
				 .text = { (char *)"no\n", 3 },
				 .server_pid = 41,
				 .faults = &fault,
				 .n_faults = 1 };
	struct task_record t = a_task(NULL, 0);
	struct json_object *o;

	expect_line(
		json_call(&c),
		"{\"id\":\"c12\",\"session\":3,\"source\":\"channel\",\"rpc_id\":\"\\\"7\\\"\","
		"\"method\":\"tools/call\",\"tool\":\"re\\\\xffad\",\"subject\":\"a\\\\x00b\","
		"\"args\":null,\"started\":\"2026-11-29T17:00:00.123456789Z\","
		"\"ended\":\"2026-11-29T17:00:00.123456790Z\",\"end\":\"error\",\"code\":-32601,"
		"\"text\":\"no\\\\n\",\"request\":{\"bytes\":90,\"sha256\":\"" HEX "\"},"
		"\"answer\":{\"bytes\":17,\"sha256\":null},\"cut\":false,\"server_pid\":41,"
		"\"client_pid\":null,\"faults\":[{\"level\":\"interface\","
		"\"primitive\":\"null-byte\",\"cause\":\"argument\",\"subject\":\"a\\\\x00b\","
		"\"leg\":null,\"sure\":false,\"at\":3,\"say\":\"\"}]}");
	t.result = RESULT_PASS;
	t.why = (char *)"\x1b[31m";
	t.calls = 3;
	t.calls_failed = 2;
	t.call_faults = 1;
	o = json_call_of(&c, &t);
	assert_non_null(strstr(
		json_line(o), "{\"campaign\":\"nightly\",\"task\":\"t-17\",\"attempt\":1,\"id\":"));
	json_object_put(o);
	o = json_task(&t, false);
	assert_non_null(strstr(json_line(o), "\"calls\":{\"total\":3,\"failed\":2,\"faults\":1},"
					     "\"result\":\"pass\",\"why\":\"\\\\x1b[31m\"}"));
	expect_line(o, NULL);
}

static void test_incident(void **state)
{
	struct incident_record i = { .kind = INCIDENT_BROKEN_PIPE,
				     .at_ns = STARTED,
				     .pid = 41,
				     .err = EPIPE,
				     .bytes = 90,
				     .open = 2 };

	expect_line(json_incident(&i),
		    "{\"kind\":\"broken-pipe\",\"session\":null,"
		    "\"at\":\"2026-11-29T17:00:00.123456789Z\",\"pid\":41,\"other_pid\":null,"
		    "\"by_server\":false,\"errno\":\"EPIPE\",\"bytes\":90,\"open_calls\":2,"
		    "\"say\":\"\"}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_task),
		cmocka_unit_test(test_nulls),
		cmocka_unit_test(test_dispositions),
		cmocka_unit_test(test_fingerprints),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_failure),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_alert_and_sensor),
		cmocka_unit_test(test_call),
		cmocka_unit_test(test_incident),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
