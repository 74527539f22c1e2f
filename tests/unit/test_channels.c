/* SPDX-License-Identifier: GPL-2.0-only */
#include "channel_rig.h"

static void test_pipes(void **state)
{
	struct rig *r = *state;
	struct call *c;

	session_over_pipes(r);
	pipe_data(r, 1, CLIENT, IS_WRITE, 5, CALL(1, "write_file"));
	pipe_data(r, 2, SERVER, IS_WRITE, 1, RESULT(1));
	assert_int_equal(the_task(r)->calls.n, 2);
	c = the_task(r)->calls.v[1];
	assert_int_equal(c->end, CALL_OK);
	assert_string_equal(c->tool, "write_file");
	assert_int_equal(c->server.tgid, SERVER);
	assert_int_equal(c->client.tgid, CLIENT);
	assert_int_equal(c->instance, TASK);
	assert_int_equal(c->session, the_task(r)->calls.v[0]->session);
	assert_int_equal(the_task(r)->rec.calls, 2);
	pipe_eof(r, 1, SERVER);
	pipe_eof(r, 2, CLIENT);
	channels_settle(&r->p, tracked_find(&r->p, TASK));
	assert_int_equal(the_task(r)->incidents.n, 0);
	assert_int_equal(the_task(r)->rec.calls_failed, 0);
}

/* A message in pieces, and two in one. */
static void test_pieces(void **state)
{
	static const char call[] = CALL(1, "a");
	struct rig *r = *state;
	char piece[2] = { 0 };

	session_over_pipes(r);
	for (const char *s = call; *s; s++) {
		piece[0] = *s;
		pipe_data(r, 1, CLIENT, IS_WRITE, 5, piece);
	}
	pipe_data(r, 1, CLIENT, IS_WRITE, 5, CALL(2, "b") CALL(3, "c"));
	pipe_data(r, 2, SERVER, IS_WRITE, 1, RESULT(3) RESULT(1) RESULT(2));
	assert_int_equal(the_task(r)->calls.n, 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(the_task(r)->calls.v[i]->end, CALL_OK);
}

/* One client asks many servers the same, with the same ids; nothing but the processes tells. */
static void test_many_servers(void **state)
{
	enum { N = 64 };
	struct rig *r = *state;

	for (uint32_t i = 0; i < N; i++)
		pipe_data(r, 1 + 2 * i, CLIENT, IS_WRITE, (int)(10 + i), CALL(0, "x"));
	for (uint32_t i = 0; i < N; i++)
		pipe_other(r, 1 + 2 * i, SERVER + i, IS_READ, 0);
	for (uint32_t i = N; i-- > 0;)
		pipe_data(r, 2 + 2 * i, SERVER + i, IS_WRITE, 1, RESULT(0));
	assert_int_equal(the_task(r)->calls.n, N);
	for (uint32_t i = 0; i < N; i++) {
		assert_int_equal(the_task(r)->calls.v[i]->end, CALL_OK);
		assert_int_equal(the_task(r)->calls.v[i]->server.tgid, SERVER + i);
	}
}

/* Read by the client, and nobody is known yet who wrote: two servers may have. */
static void test_writer_not_known(void **state)
{
	struct rig *r = *state;

	pipe_data(r, 1, CLIENT, IS_WRITE, 5, CALL(0, "x"));
	pipe_data(r, 3, CLIENT, IS_WRITE, 6, CALL(0, "y"));
	pipe_other(r, 1, SERVER, IS_READ, 0);
	pipe_other(r, 3, SERVER + 1, IS_READ, 0);
	pipe_data(r, 4, CLIENT, IS_READ, 8, RESULT(0));
	assert_int_equal(the_task(r)->calls.v[1]->end, CALL_OPEN);
	pipe_other(r, 4, SERVER + 1, IS_WRITE, 1);
	assert_int_equal(the_task(r)->calls.v[0]->end, CALL_OPEN);
	assert_int_equal(the_task(r)->calls.v[1]->end, CALL_OK);
	pipe_data(r, 2, CLIENT, IS_READ, 7, RESULT(0));
	pipe_other(r, 2, SERVER, IS_WRITE, 1);
	assert_int_equal(the_task(r)->calls.v[0]->end, CALL_OK);
}

/* Two processes tell of two records: the answer may be first. */
static void test_answer_first(void **state)
{
	struct rig *r = *state;

	session_over_pipes(r);
	pipe_data(r, 2, SERVER, IS_WRITE, 1, RESULT(1));
	assert_int_equal(the_task(r)->calls.n, 1);
	pipe_data(r, 1, CLIENT, IS_WRITE, 5, CALL(1, "a"));
	channels_turn(&r->p);
	assert_int_equal(the_task(r)->calls.n, 2);
	assert_int_equal(the_task(r)->calls.v[1]->end, CALL_OK);
	assert_int_equal(the_task(r)->incidents.n, 0);
}

/* What nobody asked is said after a while. */
static void test_unknown_answer(void **state)
{
	struct rig *r = *state;

	session_over_pipes(r);
	pipe_data(r, 2, SERVER, IS_WRITE, 1, RESULT(77));
	assert_int_equal(the_task(r)->incidents.n, 0);
	channels_settle(&r->p, tracked_find(&r->p, TASK));
	assert_int_equal(the_task(r)->incidents.n, 1);
	assert_int_equal(the_task(r)->incidents.v[0].kind, INCIDENT_UNKNOWN_ID);
}

/* Node: stdin and stdout are a socket pair each, of which one direction is used. */
static void test_two_socket_pairs(void **state)
{
	struct rig *r = *state;
	struct record q = { .what = SF_CH_DATA,
			    .kind = SF_CH_UNIX,
			    .stream = 1,
			    .back = 3,
			    .by = CLIENT,
			    .instance = TASK,
			    .writes = true,
			    .fd = 20,
			    .data = CALL(1, "a") };
	struct record answer = { .what = SF_CH_DATA,
				 .kind = SF_CH_UNIX,
				 .stream = 2,
				 .back = 4,
				 .by = SERVER,
				 .instance = TASK,
				 .writes = true,
				 .fd = 1,
				 .data = RESULT(1) };

	put(r, &q);
	q.what = SF_CH_OTHER;
	q.by = SERVER;
	q.writes = false;
	q.fd = 0;
	q.data = NULL;
	put(r, &q);
	put(r, &answer);
	assert_int_equal(the_task(r)->calls.v[0]->end, CALL_OK);
	assert_int_equal(the_task(r)->calls.v[0]->server.tgid, SERVER);
}

/* Both directions of one socket, without a word of who is at the other end. */
static void test_one_socket(void **state)
{
	struct rig *r = *state;
	struct record q = { .what = SF_CH_DATA,
			    .kind = SF_CH_UNIX,
			    .stream = 1,
			    .back = 2,
			    .by = CLIENT,
			    .instance = TASK,
			    .writes = true,
			    .fd = 20,
			    .data = CALL(1, "a") };

	put(r, &q);
	q.stream = 2;
	q.back = 1;
	q.writes = false;
	q.data = RESULT(1);
	put(r, &q);
	assert_int_equal(the_task(r)->calls.v[0]->end, CALL_OK);
	assert_int_equal(the_task(r)->calls.v[0]->client.tgid, CLIENT);
}

/* socat and its like: the same bytes over two channels count once, nearest to the server. */
static void test_relay(void **state)
{
	enum { RELAY = 150 };
	struct rig *r = *state;
	struct task *t = the_task(r);

	pipe_data(r, 1, CLIENT, IS_WRITE, 5, CALL(1, "a"));
	pipe_other(r, 1, RELAY, IS_READ, 0);
	pipe_data(r, 3, RELAY, IS_WRITE, 5, CALL(1, "a"));
	pipe_other(r, 3, SERVER, IS_READ, 0);
	pipe_data(r, 4, SERVER, IS_WRITE, 1, RESULT(1));
	pipe_other(r, 4, RELAY, IS_READ, 6);
	pipe_data(r, 2, RELAY, IS_WRITE, 1, RESULT(1));
	assert_int_equal(t->calls.n, 1);
	assert_int_equal(t->calls.v[0]->server.tgid, SERVER);
	assert_int_equal(t->calls.v[0]->client.tgid, CLIENT);
	assert_int_equal(t->calls.v[0]->end, CALL_OK);
	channels_settle(&r->p, tracked_find(&r->p, TASK));
	assert_int_equal(t->rec.calls, 1);
	assert_int_equal(t->incidents.n, 0);
}

/* A child of the server's, and what it pipes into another program. */
static void piped_by_child(struct rig *r, uint64_t stream, uint32_t child, const char *line)
{
	struct process *p = task_add_process(the_task(r), child, child);

	assert_non_null(p);
	p->parent = (struct process_key){ .start_ns = SERVER, .tgid = SERVER };
	assert_non_null(task_add_process(the_task(r), SERVER, SERVER));
	pipe_data(r, stream, child, IS_WRITE, 1, line);
	pipe_other(r, stream, child + 1, IS_READ, 0);
	pipe_eof(r, stream, child + 1);
}

/* A server of shell looks at each request by jq, before it answers and after. */
static void test_shell_server(void **state)
{
	struct rig *r = *state;
	struct task *t = the_task(r);

	session_over_pipes(r);
	pipe_data(r, 1, CLIENT, IS_WRITE, 5, CALL(1, "a"));
	piped_by_child(r, 11, 301, CALL(1, "a"));
	piped_by_child(r, 12, 303, CALL(1, "a"));
	pipe_data(r, 2, SERVER, IS_WRITE, 1, RESULT(1));
	piped_by_child(r, 13, 305, CALL(1, "a"));
	channels_settle(&r->p, tracked_find(&r->p, TASK));
	assert_int_equal(t->calls.n, 2);
	assert_int_equal(t->calls.v[1]->end, CALL_OK);
	assert_int_equal(t->calls.v[1]->server.tgid, SERVER);
	assert_int_equal(t->rec.calls, 2);
	assert_int_equal(t->incidents.n, 0);
}

static void test_shell_server_silent(void **state)
{
	struct rig *r = *state;
	struct task *t = the_task(r);

	session_over_pipes(r);
	pipe_data(r, 1, CLIENT, IS_WRITE, 5, CALL(1, "a"));
	piped_by_child(r, 11, 301, CALL(1, "a"));
	channels_settle(&r->p, tracked_find(&r->p, TASK));
	assert_int_equal(t->calls.n, 2);
	assert_int_equal(t->calls.v[1]->end, CALL_NEVER);
	assert_int_equal(t->calls.v[1]->client.tgid, CLIENT);
	assert_int_equal(t->rec.calls_failed, 1);
}

/* tee: requests pass it, answers don't. */
static void test_tee(void **state)
{
	enum { TEE = 150 };
	struct rig *r = *state;
	struct task *t = the_task(r);

	pipe_data(r, 1, CLIENT, IS_WRITE, 5, REQUEST(0, "initialize"));
	pipe_other(r, 1, TEE, IS_READ, 0);
	pipe_data(r, 3, TEE, IS_WRITE, 1, REQUEST(0, "initialize"));
	pipe_other(r, 3, SERVER, IS_READ, 0);
	pipe_data(r, 2, SERVER, IS_WRITE, 1, RESULT(0));
	pipe_other(r, 2, CLIENT, IS_READ, 6);
	assert_int_equal(t->calls.n, 1);
	assert_int_equal(t->calls.v[0]->end, CALL_OK);
	assert_int_equal(t->calls.v[0]->server.tgid, SERVER);
}

/* ---- ends ---- */

static void test_server_dies(void **state)
{
	struct rig *r = *state;

	session_over_pipes(r);
	pipe_data(r, 1, CLIENT, IS_WRITE, 5, CALL(1, "a"));
	pipe_eof(r, 2, CLIENT);
	assert_int_equal(the_task(r)->calls.v[1]->end, CALL_NEVER);
	assert_int_equal(the_task(r)->incidents.n, 1);
	assert_int_equal(the_task(r)->incidents.v[0].kind, INCIDENT_CLOSED);
	assert_int_equal(the_task(r)->incidents.v[0].other.tgid, SERVER);
	assert_int_equal(the_task(r)->rec.calls_failed, 1);
}

static void test_refused(void **state)
{
	struct rig *r = *state;

	session_over_pipes(r);
	put(r, &(struct record){ .what = SF_CH_REFUSED,
				 .kind = SF_CH_PIPE,
				 .stream = 1,
				 .by = CLIENT,
				 .instance = TASK,
				 .writes = true,
				 .fd = 5,
				 .err = EPIPE });
	assert_int_equal(the_task(r)->incidents.n, 1);
	assert_int_equal(the_task(r)->incidents.v[0].kind, INCIDENT_BROKEN_PIPE);
	assert_false(the_task(r)->incidents.v[0].by_server);
	assert_int_equal(the_task(r)->incidents.v[0].err, EPIPE);
}

static void test_never_answered(void **state)
{
	struct rig *r = *state;

	session_over_pipes(r);
	pipe_data(r, 1, CLIENT, IS_WRITE, 5, CALL(1, "a"));
	the_task(r)->ended_ns = r->now + 5;
	channels_settle(&r->p, tracked_find(&r->p, TASK));
	assert_int_equal(the_task(r)->calls.v[1]->end, CALL_NEVER);
	assert_int_equal(the_task(r)->calls.v[1]->ended_ns, r->now + 5);
}

/* The answer was among bytes that were lost: who can tell? */
static void test_lost(void **state)
{
	struct rig *r = *state;

	session_over_pipes(r);
	pipe_data(r, 1, CLIENT, IS_WRITE, 5, CALL(1, "a"));
	put(r,
	    &(struct record){ .what = SF_CH_DATA,
			      .kind = SF_CH_PIPE,
			      .stream = 2,
			      .by = SERVER,
			      .instance = TASK,
			      .writes = true,
			      .fd = 1,
			      .skip = 40,
			      .data = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n" });
	channels_settle(&r->p, tracked_find(&r->p, TASK));
	assert_int_equal(the_task(r)->calls.v[1]->end, CALL_OPEN);
	assert_true(the_task(r)->calls.v[1]->cut);
	assert_int_equal(the_task(r)->incidents.n, 0);
}

/* ---- whose ---- */

static void test_owner(void **state)
{
	struct rig *r = *state;
	struct record q = { .what = SF_CH_DATA,
			    .kind = SF_CH_PIPE,
			    .stream = 1,
			    .by = CLIENT,
			    .writes = true,
			    .fd = 5,
			    .data = CALL(1, "a") };

	rig_task(r, 8);
	/* Nobody's. */
	put(r, &q);
	assert_int_equal(the_task(r)->calls.n, 0);
	/* The client's, as nothing is known of the server. */
	q.stream = 3;
	q.instance = TASK;
	put(r, &q);
	assert_int_equal(the_task(r)->calls.n, 1);
	/* The server's, before the client's. */
	q.stream = 3;
	q.what = SF_CH_OTHER;
	q.instance = 8;
	q.by = SERVER;
	q.writes = false;
	q.data = NULL;
	put(r, &q);
	q = (struct record){ .what = SF_CH_DATA,
			     .kind = SF_CH_PIPE,
			     .stream = 3,
			     .by = CLIENT,
			     .instance = TASK,
			     .writes = true,
			     .fd = 5,
			     .data = CALL(2, "b") };
	put(r, &q);
	assert_int_equal(the_task(r)->calls.n, 1);
	assert_int_equal(tracked_find(&r->p, 8)->task->calls.n, 1);
	assert_int_equal(tracked_find(&r->p, 8)->task->calls.v[0]->instance, 8);
}

static void test_task_goes(void **state)
{
	struct rig *r = *state;

	session_over_pipes(r);
	pipe_data(r, 1, CLIENT, IS_WRITE, 5, CALL(1, "a"));
	tracked_free(&r->p, tracked_find(&r->p, TASK));
	/* Nothing is left of it that the answer could touch. */
	pipe_data(r, 2, SERVER, IS_WRITE, 1, RESULT(1));
	rig_task(r, TASK);
}

static void test_many_calls(void **state)
{
	struct rig *r = *state;
	struct task *t = the_task(r);
	char line[256];

	session_over_pipes(r);
	pipe_data(r, 1, CLIENT, IS_WRITE, 5, CALL(999999, "open"));
	for (int i = 1; i <= TASK_MAX_CALLS + 100; i++) {
		snprintf(line, sizeof(line),
			 "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}\n", i);
		pipe_data(r, 1, CLIENT, IS_WRITE, 5, line);
		snprintf(line, sizeof(line), "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{}}\n", i);
		pipe_data(r, 2, SERVER, IS_WRITE, 1, line);
	}
	assert_true(t->calls.n <= TASK_MAX_CALLS);
	assert_int_equal(t->rec.calls, TASK_MAX_CALLS + 101);
	assert_int_equal(t->calls.dropped, 0);
	assert_int_equal(t->calls.v[0]->end, CALL_OPEN);
}

static void test_told(void **state)
{
	struct rig *r = *state;
	struct call c = { .tool = strdup("write_file"), .end = CALL_TOOL_ERROR };

	assert_int_equal(channels_told(&r->p, tracked_find(&r->p, TASK), &c), 0);
	assert_null(c.tool);
	assert_int_equal(the_task(r)->calls.n, 1);
	assert_int_equal(the_task(r)->calls.v[0]->source, CALL_TOLD);
	assert_int_equal(the_task(r)->calls.v[0]->instance, TASK);
	assert_true(the_task(r)->calls.v[0]->id > 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, rig_new, rig_free)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_pipes),
		TEST(test_pieces),
		TEST(test_many_servers),
		TEST(test_writer_not_known),
		TEST(test_answer_first),
		TEST(test_unknown_answer),
		TEST(test_two_socket_pairs),
		TEST(test_one_socket),
		TEST(test_relay),
		TEST(test_shell_server),
		TEST(test_shell_server_silent),
		TEST(test_tee),
		TEST(test_server_dies),
		TEST(test_refused),
		TEST(test_never_answered),
		TEST(test_lost),
		TEST(test_owner),
		TEST(test_task_goes),
		TEST(test_many_calls),
		TEST(test_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
