/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "session.h"

#define MAX    64
#define CLIENT 0
#define SERVER 1

struct rig {
	struct session *s;
	struct session_settings set;
	struct call *calls[MAX]; /* in the order in which they were opened */
	size_t opened, closed;
	struct incident incidents[MAX];
	size_t n_incidents;
	char *roots;
	int refuse; /* what opened() returns */
	uint64_t now;
};

static int on_opened(void *arg, struct session *s, struct call *c, struct json_object *params)
{
	struct rig *r = arg;

	if (r->refuse)
		return r->refuse;
	assert_true(r->opened < MAX);
	assert_int_equal(c->end, CALL_OPEN);
	r->calls[r->opened++] = c;
	c->id = r->opened;
	c->instance = 1;
	return 0;
}

static void on_closed(void *arg, struct session *s, struct call *c, struct json_object *result)
{
	struct rig *r = arg;

	assert_true(r->calls[c->id - 1] == c);
	r->closed++;
}

static void on_incident(void *arg, struct session *s, struct incident *i)
{
	struct rig *r = arg;

	assert_true(r->n_incidents < MAX);
	r->incidents[r->n_incidents++] = *i;
}

static void on_roots(void *arg, struct session *s, struct json_object *result)
{
	struct rig *r = arg;

	free(r->roots);
	r->roots = strdup(json_object_to_json_string_ext(result, JSON_C_TO_STRING_PLAIN));
}

static const struct session_ops ops = { on_opened, on_closed, on_incident, on_roots };

static int setup(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	r->s = session_new(9, &r->set, &ops, r);
	assert_non_null(r->s);
	session_peer(r->s, CLIENT, &(struct call_peer){ .start_ns = 1, .tgid = 100 });
	session_peer(r->s, SERVER, &(struct call_peer){ .start_ns = 2, .tgid = 200 });
	*state = r;
	return 0;
}

static int teardown(void **state)
{
	struct rig *r = *state;

	session_free(r->s);
	for (size_t i = 0; i < r->opened; i++) {
		if (!r->calls[i])
			continue;
		call_clear(r->calls[i]);
		free(r->calls[i]);
	}
	for (size_t i = 0; i < r->n_incidents; i++)
		incident_clear(&r->incidents[i]);
	free(r->roots);
	free(r);
	return 0;
}

struct said {
	struct rig *r;
	unsigned int from;
	uint64_t conn;
	const struct wire_message *m;
};

static void on_rpc(const struct rpc *rpc, void *arg)
{
	struct said *q = arg;

	assert_int_equal(session_message(q->r->s, q->from, q->conn, rpc, q->m), 0);
}

static void say_over(struct rig *r, unsigned int from, uint64_t conn, const char *json, bool cut)
{
	struct wire_message m = { .data = json, .len = strlen(json), .total = strlen(json) };
	struct said q = { r, from, conn, &m };

	r->now += 10;
	m.cut = cut;
	m.gap = m.len;
	m.tail = m.len;
	m.begin_ns = r->now - 5;
	m.end_ns = r->now;
	m.digest[0] = (uint8_t)strlen(json);
	assert_true(rpc_parse(&m, on_rpc, &q) > 0);
}

static void say(struct rig *r, unsigned int from, const char *json)
{
	say_over(r, from, 0, json, false);
}

static void initialize(struct rig *r)
{
	say(r, CLIENT, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{}}");
	say(r, SERVER, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}");
	say(r, CLIENT, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
}

static const char write_file[] =
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
	"{\"name\":\"write_file\",\"arguments\":{\"content\":\"x\",\"path\":\"/w/a.txt\"}}}";

/* ---- calls ---- */

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

/* ---- ends ---- */

static void check_incident(const struct rig *r, enum incident_kind kind, bool by_server,
			   unsigned int open)
{
	const struct incident *i = &r->incidents[0];

	assert_int_equal(r->n_incidents, 1);
	assert_int_equal(i->kind, kind);
	assert_int_equal(i->by_server, by_server);
	assert_int_equal(i->open, open);
	assert_int_equal(i->session, 9);
	assert_int_equal(i->who.tgid, by_server ? 200 : 100);
	assert_int_equal(i->other.tgid, by_server ? 100 : 200);
	assert_non_null(i->say);
}

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

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_call),
		TEST(test_answers),
		TEST(test_out_of_order),
		TEST(test_batch),
		TEST(test_server_asks),
		TEST(test_server_side),
		TEST(test_cancelled),
		TEST(test_one_id_twice),
		TEST(test_nobodys),
		TEST(test_subject),
		TEST(test_shapes_only),
		TEST(test_raw),
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
