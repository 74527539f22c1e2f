/* SPDX-License-Identifier: GPL-2.0-only */
/* How sessions end, what in them is no call, and what of them was lost. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "session_rig.h"

/* ---- ends ---- */

/* The client closes the server's stdin, and the server leaves. */
static void test_end_well(void **state)
{
	struct rig *r = *state;

	initialize(r);
	say(r, CLIENT, write_file);
	say(r, SERVER, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
	session_left(r->s, CLIENT, 1000);
	session_left(r->s, SERVER, 1001);
	session_over(r->s, 1002, 0);
	assert_int_equal(r->n_incidents, 0);
	assert_int_equal(r->calls[1]->end, CALL_OK);
}

static void test_server_leaves(void **state)
{
	struct rig *r = *state;

	initialize(r);
	say(r, CLIENT, write_file);
	session_left(r->s, SERVER, 1000);
	check_incident(r, INCIDENT_CLOSED, false, 1);
	assert_int_equal(r->calls[1]->end, CALL_NEVER);
	assert_int_equal(r->calls[1]->ended_ns, 1000);
	/* What the client still writes is the same misfortune. */
	session_refused(r->s, CLIENT, 0, 1001, EPIPE);
	session_left(r->s, CLIENT, 1002);
	assert_int_equal(r->n_incidents, 1);
}

/* `printf … | server`: it asks, closes, and listens. */
static void test_client_listens(void **state)
{
	struct rig *r = *state;

	initialize(r);
	say(r, CLIENT, write_file);
	session_left(r->s, CLIENT, 1000);
	assert_int_equal(r->calls[1]->end, CALL_OPEN);
	say(r, SERVER, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
	assert_int_equal(r->calls[1]->end, CALL_OK);
	session_left(r->s, SERVER, 1001);
	assert_int_equal(r->n_incidents, 0);
}

static void test_client_leaves_open(void **state)
{
	struct rig *r = *state;

	initialize(r);
	say(r, CLIENT, write_file);
	session_left(r->s, CLIENT, 1000);
	session_left(r->s, SERVER, 1001);
	assert_int_equal(r->calls[1]->end, CALL_NEVER);
	assert_int_equal(r->n_incidents, 0);
}

/* EPIPE, by who left first and what was still to be said. */
static void test_refused_server_done(void **state)
{
	struct rig *r = *state;

	initialize(r);
	session_refused(r->s, SERVER, 0, 1000, EPIPE);
	assert_int_equal(r->n_incidents, 0);
}

static void test_refused_server(void **state)
{
	struct rig *r = *state;

	initialize(r);
	say(r, CLIENT, write_file);
	session_refused(r->s, SERVER, 0, 1000, EPIPE);
	check_incident(r, INCIDENT_BROKEN_PIPE, true, 1);
	assert_int_equal(r->incidents[0].err, EPIPE);
	assert_int_equal(r->calls[1]->end, CALL_NEVER);
}

static void test_refused_client(void **state)
{
	struct rig *r = *state;

	initialize(r);
	session_refused(r->s, CLIENT, 0, 1000, ECONNRESET);
	check_incident(r, INCIDENT_RESET, false, 0);
}

static void test_blocked(void **state)
{
	struct rig *r = *state;

	initialize(r);
	say(r, CLIENT, write_file);
	session_blocked(r->s, SERVER, 1000, 2, 59, 4000000000);
	check_incident(r, INCIDENT_BLOCKED, true, 1);
	assert_int_equal(r->incidents[0].bytes, 59);
	assert_non_null(strstr(r->incidents[0].say, "descriptor 2 for 4000 ms"));
	assert_int_equal(r->calls[1]->end, CALL_OPEN);
}

/* A task ends while its server serves on. */
static void test_over_for_one_task(void **state)
{
	struct rig *r = *state;

	initialize(r);
	say(r, CLIENT, write_file);
	say(r, CLIENT, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}");
	r->calls[2]->instance = 2;
	session_over(r->s, 1000, 1);
	assert_int_equal(r->calls[1]->end, CALL_NEVER);
	assert_int_equal(r->calls[2]->end, CALL_OPEN);
	assert_int_equal(session_open(r->s, 1), 0);
	assert_int_equal(session_open(r->s, 2), 1);
	/* Its answer is late, not unknown. */
	say(r, SERVER, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
	assert_int_equal(r->calls[1]->end, CALL_NEVER);
	assert_int_equal(r->n_incidents, 0);
	session_forget(r->s, 2);
	say(r, SERVER, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}");
	assert_int_equal(r->closed, 2);
}

static void test_http_error(void **state)
{
	struct wire_message m = { .http = true, .http_status = 413, .end_ns = 500, .total = 9 };
	struct rig *r = *state;

	session_set_server(r->s, SERVER);
	say_over(r, CLIENT, 7, write_file, false);
	say_over(r, CLIENT, 8, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}", false);
	session_http_error(r->s, 7, &m);
	assert_int_equal(r->calls[0]->end, CALL_ERROR);
	assert_int_equal(r->calls[0]->code, 413);
	assert_string_equal(r->calls[0]->text.data, "HTTP status 413");
	assert_int_equal(r->calls[1]->end, CALL_OPEN);
	check_incident(r, INCIDENT_OVERSIZED, false, 2);
}

/* ---- what is none ---- */

static void test_not_json(void **state)
{
	struct rig *r = *state;

	initialize(r);
	say(r, SERVER, "Server is listening");
	check_incident(r, INCIDENT_NOT_JSON, true, 0);
	assert_int_equal(r->incidents[0].bytes, 19);
}

static void test_invalid(void **state)
{
	struct rig *r = *state;

	initialize(r);
	say(r, CLIENT, "{\"method\":\"tools/list\",\"id\":4}");
	check_incident(r, INCIDENT_INVALID, false, 0);
}

static void test_many_incidents(void **state)
{
	struct rig *r = *state;

	initialize(r);
	for (int i = 0; i < SESSION_INCIDENTS + 5; i++)
		say(r, SERVER, "a line of a log");
	assert_int_equal(r->n_incidents, SESSION_INCIDENTS);
	assert_int_equal(session_unsaid(r->s), 5);
}

static void test_unknown_id(void **state)
{
	struct rig *r = *state;

	initialize(r);
	say(r, SERVER, "{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":{}}");
	check_incident(r, INCIDENT_UNKNOWN_ID, true, 0);
}

/* Observed from its middle on: whoever asked was not seen. */
static void test_unknown_id_of_middle(void **state)
{
	struct rig *r = *state;

	say(r, CLIENT, write_file);
	say(r, SERVER, "{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":{}}");
	assert_int_equal(r->n_incidents, 0);
}

/* ---- what was lost ---- */

static void test_answer_lost(void **state)
{
	struct rig *r = *state;

	initialize(r);
	say(r, CLIENT, write_file);
	session_lost(r->s, SERVER, r->now + 1);
	r->now += 10;
	say(r, CLIENT, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}");
	session_left(r->s, SERVER, 1000);
	assert_int_equal(r->calls[1]->end, CALL_OPEN);
	assert_true(r->calls[1]->cut);
	assert_int_equal(r->calls[1]->ended_ns, 0);
	assert_int_equal(r->calls[2]->end, CALL_NEVER);
}

static void test_request_lost(void **state)
{
	struct rig *r = *state;

	initialize(r);
	session_lost(r->s, CLIENT, r->now);
	say(r, SERVER, "{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":{}}");
	assert_int_equal(r->n_incidents, 0);
}

/* Of a cut answer its id is known, or there is but one that it can belong to. */
static void test_answer_cut(void **state)
{
	struct rig *r = *state;

	initialize(r);
	say(r, CLIENT, write_file);
	say_over(r, SERVER, 0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"ty",
		 true);
	assert_true(r->calls[1]->cut);
	assert_int_equal(r->calls[1]->end, CALL_OK);
	assert_int_equal(r->n_incidents, 0);
}

static void test_early_answer(void **state)
{
	struct rig *r = *state;

	initialize(r);
	say(r, CLIENT, write_file);
	r->now -= 20; /* its record came later than it was written */
	say(r, SERVER, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
	assert_true(r->calls[1]->started_ns <= r->calls[1]->ended_ns);
}
int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_end_well),
		TEST(test_server_leaves),
		TEST(test_client_listens),
		TEST(test_client_leaves_open),
		TEST(test_refused_server_done),
		TEST(test_refused_server),
		TEST(test_refused_client),
		TEST(test_blocked),
		TEST(test_over_for_one_task),
		TEST(test_http_error),
		TEST(test_not_json),
		TEST(test_invalid),
		TEST(test_many_incidents),
		TEST(test_unknown_id),
		TEST(test_unknown_id_of_middle),
		TEST(test_answer_lost),
		TEST(test_request_lost),
		TEST(test_answer_cut),
		TEST(test_early_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
