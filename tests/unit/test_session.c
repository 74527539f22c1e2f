/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests and their answers, whoever asks. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "session_rig.h"

static void test_call(void **state)
{
	struct rig *r = *state;
	struct call *c;

	initialize(r);
	say(r, CLIENT, write_file);
	assert_int_equal(r->opened, 2);
	c = r->calls[1];
	assert_string_equal(c->rpc_id, "1");
	assert_string_equal(c->method, "tools/call");
	assert_string_equal(c->tool, "write_file");
	assert_string_equal(c->subject.data, "/w/a.txt");
	assert_non_null(strstr(c->args, "/w/a.txt"));
	assert_int_equal(c->started_ns, r->now);
	assert_int_equal(c->request_len, strlen(write_file));
	assert_int_equal(c->session, 9);
	assert_int_equal(c->client.tgid, 100);
	assert_int_equal(c->server.tgid, 200);
	assert_ptr_equal(session_oldest(r->s, 0), c);
	say(r, SERVER, "{\"result\":{\"content\":[]},\"jsonrpc\":\"2.0\",\"id\":1}");
	assert_int_equal(c->end, CALL_OK);
	assert_int_equal(c->ended_ns, r->now);
	assert_int_equal(c->answer_len, 48);
	assert_int_equal(c->answer_digest[0], 48);
	assert_int_equal(r->closed, 2);
	assert_int_equal(session_open(r->s, 0), 0);
	assert_int_equal(r->n_incidents, 0);
}

static const struct {
	const char *answer;
	enum call_end end;
	int code;
	const char *text;
} answers[] = {
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", CALL_OK, 0, NULL },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"isError\":false}}", CALL_OK, 0, NULL },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"isError\":true,\"content\":[{\"type\":"
	  "\"text\",\"text\":\"EROFS: read-only\"},{\"type\":\"text\",\"text\":\"b\"}]}}",
	  CALL_TOOL_ERROR, 0, "EROFS: read-only\nb" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"isError\":true,\"content\":[{\"type\":"
	  "\"text\",\"text\":\"MCP error -32602: Tool x not found\"}]}}",
	  CALL_TOOL_ERROR, -32602, "MCP error -32602: Tool x not found" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"Method not "
	  "found\"}}",
	  CALL_ERROR, -32601, "Method not found" },
	/* An answer to what could not be read carries no id: there is but one that waits. */
	{ "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"Parse "
	  "error\"}}",
	  CALL_ERROR, -32700, "Parse error" },
};

static void test_answers(void **state)
{
	struct rig *r = *state;

	initialize(r);
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
		struct call *c;

		say(r, CLIENT, write_file);
		say(r, SERVER, answers[i].answer);
		c = r->calls[r->opened - 1];
		if (c->end != answers[i].end || c->code != answers[i].code)
			fail_msg("%s: %s, %d", answers[i].answer, call_end_name(c->end), c->code);
		if (answers[i].text)
			assert_string_equal(c->text.data, answers[i].text);
		else
			assert_int_equal(c->text.len, 0);
	}
	assert_int_equal(r->n_incidents, 0);
}

static void test_out_of_order(void **state)
{
	struct rig *r = *state;

	initialize(r);
	say(r, CLIENT, "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}");
	say(r, CLIENT, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
	say(r, CLIENT, "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"method\":\"prompts/list\"}");
	say(r, SERVER, "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{}}");
	assert_int_equal(r->calls[3]->end, CALL_OK);
	assert_int_equal(r->calls[2]->end, CALL_OPEN);
	say(r, SERVER, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
	say(r, SERVER, "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}");
	assert_int_equal(r->closed, 4);
	assert_int_equal(r->n_incidents, 0);
}

static void test_batch(void **state)
{
	struct rig *r = *state;

	initialize(r);
	say(r, CLIENT,
	    "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},"
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"},"
	    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}]");
	assert_int_equal(r->opened, 3);
	say(r, SERVER,
	    "[{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}},"
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-1,\"message\":\"m\"}}]");
	assert_int_equal(r->calls[1]->end, CALL_ERROR);
	assert_int_equal(r->calls[2]->end, CALL_OK);
	assert_int_equal(r->n_incidents, 0);
}

/* What the server asks is no call, and its answers are known. */
static void test_server_asks(void **state)
{
	struct rig *r = *state;

	initialize(r);
	say(r, SERVER, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"roots/list\"}");
	say(r, SERVER, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"sampling/createMessage\"}");
	say(r, CLIENT, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"roots\":[]}}");
	say(r, CLIENT,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"n\"}}");
	assert_int_equal(r->opened, 1);
	assert_string_equal(r->roots, "{\"roots\":[]}");
	assert_int_equal(r->n_incidents, 0);
	session_left(r->s, SERVER, 1000);
	assert_int_equal(r->n_incidents, 0);
}

/* A server is known by what it asks for, too. */
static void test_server_side(void **state)
{
	struct rig *r = *state;

	assert_int_equal(session_server(r->s), SESSION_NO_SERVER);
	say(r, 0, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"roots/list\"}");
	assert_int_equal(session_server(r->s), 0);
	say(r, 1, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/list\"}");
	assert_int_equal(r->opened, 1);
	assert_int_equal(r->calls[0]->server.tgid, 100);
}

static void test_cancelled(void **state)
{
	struct rig *r = *state;

	initialize(r);
	say(r, CLIENT, write_file);
	say(r, CLIENT,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":"
	    "{\"requestId\":1,\"reason\":\"MCP error -32001: Request timed out\"}}");
	assert_int_equal(r->calls[1]->end, CALL_CANCELLED);
	assert_int_equal(r->calls[1]->ended_ns, r->now);
	assert_int_equal(r->calls[1]->code, -32001);
	assert_string_equal(r->calls[1]->text.data, "MCP error -32001: Request timed out");
	/* An answer may cross it. */
	say(r, SERVER, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
	assert_int_equal(r->calls[1]->end, CALL_CANCELLED);
	assert_int_equal(r->n_incidents, 0);
	session_left(r->s, SERVER, 1000);
	assert_int_equal(r->n_incidents, 0);
}

static void test_one_id_twice(void **state)
{
	struct rig *r = *state;

	say(r, CLIENT, write_file);
	say(r, CLIENT, write_file);
	say(r, CLIENT, write_file);
	say(r, SERVER, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
	assert_int_equal(r->calls[0]->end, CALL_OK);
	assert_int_equal(r->calls[1]->end, CALL_OPEN);
	assert_int_equal(session_open(r->s, 0), 2);
	say(r, SERVER, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
	say(r, SERVER, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"isError\":true}}");
	assert_int_equal(r->calls[1]->end, CALL_OK);
	assert_int_equal(r->calls[2]->end, CALL_TOOL_ERROR);
	assert_int_equal(session_open(r->s, 0), 0);
}

static void test_nobodys(void **state)
{
	struct rig *r = *state;

	r->refuse = -ESRCH;
	initialize(r);
	say(r, CLIENT, write_file);
	say(r, SERVER, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
	assert_int_equal(r->opened, 0);
	assert_int_equal(r->n_incidents, 0);
}

static void test_subject(void **state)
{
	static const struct {
		const char *params, *subject;
	} rows[] = {
		{ "{\"name\":\"t\",\"arguments\":{\"text\":\"hello\",\"file_path\":\"b\"}}", "b" },
		{ "{\"name\":\"t\",\"arguments\":{\"paths\":[\"/a\",\"/b\"]}}", "/a" },
		{ "{\"name\":\"t\",\"arguments\":{\"n\":3,\"q\":\"words\"}}", "words" },
		{ "{\"name\":\"t\",\"arguments\":{\"password\":\"hunter22\",\"q\":\"w\"}}", "w" },
		{ "{\"name\":\"t\",\"arguments\":{}}", NULL },
		{ "{\"name\":\"t\"}", NULL },
	};
	struct rig *r = *state;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char line[512];
		struct call *c;

		snprintf(line, sizeof(line),
			 "{\"jsonrpc\":\"2.0\",\"id\":%zu,\"method\":\"tools/call\",\"params\":%s}",
			 i, rows[i].params);
		say(r, CLIENT, line);
		c = r->calls[r->opened - 1];
		if (!rows[i].subject)
			assert_int_equal(c->subject.len, 0);
		else
			assert_string_equal(c->subject.data, rows[i].subject);
	}
	say(r, CLIENT,
	    "{\"jsonrpc\":\"2.0\",\"id\":99,\"method\":\"resources/read\",\"params\":"
	    "{\"uri\":\"file:///w/x\"}}");
	assert_string_equal(r->calls[r->opened - 1]->subject.data, "/w/x");
	assert_null(r->calls[r->opened - 1]->tool);
}

static void test_raw(void **state)
{
	struct rig *r = *state;
	struct call *c;

	say(r, CLIENT,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"a\","
	    "\"arguments\":{\"text\":\"x\\ud83d\"}}}");
	c = r->calls[0];
	assert_int_equal(c->n_faults, 1);
	assert_int_equal(c->faults[0].cause, CAUSE_ENCODING_UTF8);
	assert_int_equal(c->faults[0].leg, LEG_NONE);
	assert_false(c->faults[0].sure);
	assert_non_null(strstr(c->faults[0].say, "the request holds half a surrogate pair"));
	say(r, SERVER,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"text\":\"caf\xe9\"}]}}");
	assert_int_equal(c->n_faults, 2);
	assert_non_null(strstr(c->faults[1].say, "the answer holds bytes that are no UTF-8"));
	/* A whole pair is none. */
	say(r, CLIENT,
	    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"a\","
	    "\"arguments\":{\"text\":\"\\ud83d\\ude00 caf\xc3\xa9\"}}}");
	assert_int_equal(r->calls[1]->n_faults, 0);
}

static void test_shapes_only(void **state)
{
	struct rig *r = *state;

	r->set.shapes_only = true;
	say(r, CLIENT, write_file);
	say(r, SERVER,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"isError\":true,\"content\":"
	    "[{\"type\":\"text\",\"text\":\"MCP error -32602: s3cret\"}]}}");
	assert_int_equal(r->calls[0]->end, CALL_TOOL_ERROR);
	assert_int_equal(r->calls[0]->code, -32602);
	assert_int_equal(r->calls[0]->text.len, 0);
	assert_int_equal(r->calls[0]->subject.len, 0);
	assert_null(strstr(r->calls[0]->args, "a.txt"));
	assert_string_equal(r->calls[0]->tool, "write_file");
}
int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_call),      TEST(test_answers),      TEST(test_out_of_order),
		TEST(test_batch),     TEST(test_server_asks),  TEST(test_server_side),
		TEST(test_cancelled), TEST(test_one_id_twice), TEST(test_nobodys),
		TEST(test_subject),   TEST(test_raw),	       TEST(test_shapes_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
