/* SPDX-License-Identifier: GPL-2.0-only */
/* Sessions over HTTP: by Mcp-Session-Id, on any connection. */
#include "channel_rig.h"
#include "rpc.h"

/* A connection: what the client says is stream n, what the server says n + 1. */
static void tcp(struct rig *r, uint64_t n, bool client, const char *data)
{
	put(r, &(struct record){ .what = SF_CH_DATA,
				 .kind = SF_CH_TCP,
				 .stream = client ? n : n + 1,
				 .back = client ? n + 1 : n,
				 .by = CLIENT,
				 .instance = TASK,
				 .writes = client,
				 .fd = 9,
				 .data = data });
}

static void post(struct rig *r, uint64_t n, const char *session, const char *body)
{
	char text[2048];

	snprintf(text, sizeof(text),
		 "POST /mcp HTTP/1.1\r\nHost: x\r\n%s%s%sContent-Type: application/json\r\n"
		 "Content-Length: %zu\r\n\r\n%s",
		 session ? "Mcp-Session-Id: " : "", session ? session : "", session ? "\r\n" : "",
		 strlen(body), body);
	tcp(r, n, true, text);
}

static void answer(struct rig *r, uint64_t n, const char *session, const char *body)
{
	char text[2048];

	snprintf(text, sizeof(text),
		 "HTTP/1.1 200 OK\r\n%s%s%sContent-Type: application/json\r\n"
		 "Content-Length: %zu\r\n\r\n%s",
		 session ? "Mcp-Session-Id: " : "", session ? session : "", session ? "\r\n" : "",
		 strlen(body), body);
	tcp(r, n, false, text);
}

static void event_stream(struct rig *r, uint64_t n)
{
	tcp(r, n, false,
	    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
}

static void event(struct rig *r, uint64_t n, const char *data)
{
	char text[2048];

	snprintf(text, sizeof(text), "event: message\ndata: %s\n\n", data);
	tcp(r, n, false, text);
}

/* Without the end of a line. */
#define ASK(id)	 "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"method\":\"tools/call\",\"params\":{}}"
#define INIT(id) "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"method\":\"initialize\",\"params\":{}}"
#define SAID(id) "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"result\":{}}"

static void check(struct rig *r, size_t n)
{
	assert_int_equal(the_task(r)->calls.n, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(the_task(r)->calls.v[i]->end, CALL_OK);
	channels_settle(&r->p, tracked_find(&r->p, TASK));
	assert_int_equal(the_task(r)->incidents.n, 0);
}

static void test_one_connection(void **state)
{
	struct rig *r = *state;

	post(r, 1, NULL, INIT(0));
	answer(r, 1, "s-1", SAID(0));
	post(r, 1, "s-1", ASK(1));
	answer(r, 1, NULL, SAID(1));
	assert_int_equal(the_task(r)->calls.v[0]->session, the_task(r)->calls.v[1]->session);
	assert_int_equal(the_task(r)->calls.v[0]->client.tgid, CLIENT);
	check(r, 2);
}

static void test_many_connections(void **state)
{
	struct rig *r = *state;

	post(r, 1, NULL, INIT(0));
	answer(r, 1, "s-1", SAID(0));
	post(r, 3, "s-1", ASK(1));
	post(r, 5, "s-1", ASK(2));
	event_stream(r, 5);
	event(r, 5, SAID(2));
	answer(r, 3, NULL, SAID(1));
	assert_int_equal(the_task(r)->calls.v[0]->session, the_task(r)->calls.v[2]->session);
	check(r, 3);
}

/* A pool's connection serves two sessions in turn. */
static void test_two_sessions(void **state)
{
	struct rig *r = *state;
	struct task *t = the_task(r);

	post(r, 1, NULL, INIT(0));
	answer(r, 1, "s-1", SAID(0));
	post(r, 1, NULL, INIT(0));
	answer(r, 1, "s-2", SAID(0));
	post(r, 1, "s-1", ASK(1));
	answer(r, 1, NULL, SAID(1));
	post(r, 3, "s-2", ASK(1));
	answer(r, 3, NULL, SAID(1));
	assert_int_equal(t->calls.v[0]->session, t->calls.v[2]->session);
	assert_int_equal(t->calls.v[1]->session, t->calls.v[3]->session);
	assert_int_not_equal(t->calls.v[0]->session, t->calls.v[1]->session);
	check(r, 4);
}

/* No session at all: each connection is one, and the same id is asked on all. */
static void test_stateless(void **state)
{
	struct rig *r = *state;

	for (uint64_t n = 1; n < 40; n += 2)
		post(r, n, NULL, ASK(1));
	for (uint64_t n = 1; n < 40; n += 2)
		answer(r, n, NULL, SAID(1));
	check(r, 20);
}

/* The older transport: answers come over the stream that was opened first. */
static void test_sse(void **state)
{
	struct rig *r = *state;

	tcp(r, 1, true, "GET /sse HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n");
	event_stream(r, 1);
	tcp(r, 1, false, "event: endpoint\ndata: /messages?sessionId=77\n\n");
	tcp(r, 3, true,
	    "POST /messages?sessionId=77 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
	    "Content-Length: "
	    "58\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{}}");
	tcp(r, 3, false, "HTTP/1.1 202 Accepted\r\nContent-Length: 8\r\n\r\nAccepted");
	event(r, 1, SAID(0));
	check(r, 1);
}

static void test_status(void **state)
{
	struct rig *r = *state;
	struct call *c;

	post(r, 1, NULL, INIT(0));
	answer(r, 1, "s-1", SAID(0));
	post(r, 1, "s-1", ASK(1));
	tcp(r, 1, false,
	    "HTTP/1.1 500 Internal Server Error\r\nContent-Type: text/html\r\n"
	    "Content-Length: 5\r\n\r\noops!");
	c = the_task(r)->calls.v[1];
	assert_int_equal(c->end, CALL_ERROR);
	assert_int_equal(c->code, 500);
	assert_string_equal(c->text.data, "HTTP status 500");
}

static struct call *answered_by(struct rig *r, const char *text)
{
	post(r, 1, NULL, INIT(0));
	answer(r, 1, "s-1", SAID(0));
	post(r, 1, "s-1", ASK(1));
	tcp(r, 1, false, text);
	assert_int_equal(the_task(r)->calls.n, 2);
	return the_task(r)->calls.v[1];
}

static void test_page(void **state)
{
	struct call *c = answered_by(*state, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
					     "Content-Length: 13\r\n\r\n<html></html>");

	assert_int_equal(c->end, CALL_ERROR);
	assert_int_equal(c->code, RPC_PARSE_ERROR);
	assert_string_equal(c->text.data,
			    "HTTP status 200, and a page for people in place of an answer");
}

/* What can't be understood is no error. */
static void test_compressed(void **state)
{
	struct call *c = answered_by(*state, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
					     "Content-Type: application/json\r\n"
					     "Content-Length: 5\r\n\r\n\x1f\x8b\x08"
					     "12");

	assert_int_equal(c->end, CALL_OPEN);
	assert_int_equal(c->code, 0);
}

/* A client closes its event stream while the server has more to say: nothing was lost by it. */
static void test_stream_closed(void **state)
{
	struct rig *r = *state;

	post(r, 1, NULL, INIT(0));
	answer(r, 1, "s-1", SAID(0));
	tcp(r, 3, true,
	    "GET /mcp HTTP/1.1\r\nHost: x\r\nMcp-Session-Id: s-1\r\nAccept: "
	    "text/event-stream\r\n\r\n");
	event_stream(r, 3);
	post(r, 1, "s-1", ASK(1));
	put(r, &(struct record){ .what = SF_CH_REFUSED,
				 .kind = SF_CH_TCP,
				 .stream = 4,
				 .back = 3,
				 .by = SERVER,
				 .instance = TASK,
				 .writes = true,
				 .fd = 12,
				 .err = EPIPE });
	assert_int_equal(the_task(r)->incidents.n, 0);
	assert_int_equal(the_task(r)->calls.v[1]->end, CALL_OPEN);
	answer(r, 1, NULL, SAID(1));
	check(r, 2);
}

/* … but where it waited for an answer on that connection, it was. */
static void test_answer_refused(void **state)
{
	struct rig *r = *state;

	post(r, 1, NULL, INIT(0));
	answer(r, 1, "s-1", SAID(0));
	post(r, 3, "s-1", ASK(1));
	post(r, 5, "s-1", ASK(2));
	put(r, &(struct record){ .what = SF_CH_REFUSED,
				 .kind = SF_CH_TCP,
				 .stream = 4,
				 .back = 3,
				 .by = SERVER,
				 .instance = TASK,
				 .writes = true,
				 .fd = 12,
				 .err = EPIPE });
	assert_int_equal(the_task(r)->incidents.n, 1);
	assert_int_equal(the_task(r)->incidents.v[0].kind, INCIDENT_BROKEN_PIPE);
	assert_int_equal(the_task(r)->incidents.v[0].open, 1);
	assert_int_equal(the_task(r)->calls.v[1]->end, CALL_NEVER);
	assert_int_equal(the_task(r)->calls.v[2]->end, CALL_OPEN);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, rig_new, rig_free)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_one_connection),
		TEST(test_many_connections),
		TEST(test_two_sessions),
		TEST(test_stateless),
		TEST(test_sse),
		TEST(test_status),
		TEST(test_page),
		TEST(test_compressed),
		TEST(test_stream_closed),
		TEST(test_answer_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
