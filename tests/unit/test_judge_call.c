/* SPDX-License-Identifier: GPL-2.0-only */
/* A tool call's word, laid over what the kernel saw under it. */
#include "scene_call.h"

static const struct syscall read_only = {
	.syscall = "openat", .err = EROFS, .path = "/w/review.md", .args = { 0, 0, 0101 }
};

#define EROFS_SAID "EROFS: read-only file system, open '/w/review.md'"

static void test_refusal_behind_it(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	fails(s, both.server, 102, &read_only);
	calls(s, "write_file", "review.md", 100, 104, CALL_TOOL_ERROR, EROFS_SAID);
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_READ_ONLY_MOUNT, "/w/review.md");
	assert_int_equal(s->out.failures[0].confidence, CONF_CERTAIN);
}

static void test_refusal_before_it(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	fails(s, both.server, 20, &read_only);
	calls(s, "write_file", "other.md", 100, 104, CALL_TOOL_ERROR, "disk is not to my taste");
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_PROTOCOL_TOOL_ERROR, "write_file other.md");
}

static void test_refusal_elsewhere(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);
	struct process *other = process(s, 30, CLIENT, "helper", 3);

	fails(s, other, 102, &read_only);
	ends(s, other, 110, 0, NULL);
	calls(s, "write_file", "x.md", 100, 104, CALL_TOOL_ERROR, EROFS_SAID);
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_PROTOCOL_TOOL_ERROR, "write_file x.md");
}

static void test_nothing_behind_it(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	calls(s, "search", "cats", 100, 104, CALL_TOOL_ERROR, "quota of the index is used up");
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_PROTOCOL_TOOL_ERROR, "search cats");
}

static void test_its_code(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	calls(s, "no_such_tool", "", 100, 104, CALL_TOOL_ERROR, "Tool no_such_tool not found")
		->code = -32602;
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_PROTOCOL_INVALID_REQUEST, "no_such_tool");
}

static void test_the_client_expected_it(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	fails(s, both.server, 102, &read_only);
	calls(s, "write_file", "review.md", 100, 104, CALL_TOOL_ERROR, EROFS_SAID);
	closes(s, &both, 0, NULL);
	expect_none(s);
	assert_int_equal(s->out.handled, 1);
}

static void test_tried_again(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	calls(s, "search", "cats", 100, 104, CALL_TOOL_ERROR, "the index is busy");
	calls(s, "search", "cats", 200, 204, CALL_OK, NULL);
	closes(s, &both, EXITED(1), "agent: bad configuration\n");
	expect(s, CAUSE_EXIT_NON_ZERO, "agent");
}

static void test_the_one_that_is_repeated(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	calls(s, "search", "cats", 100, 104, CALL_TOOL_ERROR, "the index of cats is broken");
	calls(s, "search", "dogs", 200, 204, CALL_TOOL_ERROR, "no dogs were found in it");
	closes(s, &both, EXITED(1), "Error: the index of cats is broken\n");
	expect(s, CAUSE_PROTOCOL_TOOL_ERROR, "search cats");
}

static void test_the_last_one(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	calls(s, "search", "cats", 100, 104, CALL_TOOL_ERROR, "the index of cats is broken");
	calls(s, "search", "dogs", 200, 204, CALL_TOOL_ERROR, "no dogs were found in it");
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_PROTOCOL_TOOL_ERROR, "search dogs");
}

static void test_an_earlier_one_alone(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	calls(s, "search", "cats", 100, 104, CALL_TOOL_ERROR, "the index of cats is broken");
	calls(s, "search", "dogs", 200, 204, CALL_OK, NULL);
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_PROTOCOL_TOOL_ERROR, "search cats");
	assert_int_equal(s->out.failures[0].confidence, CONF_POSSIBLE);
}

static void test_an_earlier_one_and_a_bug(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	calls(s, "search", "cats", 100, 104, CALL_TOOL_ERROR, "the index of cats is broken");
	calls(s, "search", "dogs", 200, 204, CALL_OK, NULL);
	closes(s, &both, EXITED(1),
	       "Traceback (most recent call last):\n  File \"agent.py\", line 9\n"
	       "TypeError: unsupported operand type(s) for +: 'int' and 'str'\n");
	expect(s, CAUSE_EXIT_NON_ZERO, "agent");
}

static void test_missing_file(void **state)
{
	static const struct syscall absent = { .syscall = "openat",
					       .err = ENOENT,
					       .path = "/w/notes.md" };
	struct scene *s = *state;
	struct session both = session(s);

	fails(s, both.server, 102, &absent);
	calls(s, "read_text_file", "notes.md", 100, 104, CALL_TOOL_ERROR,
	      "ENOENT: no such file or directory, open '/w/notes.md'");
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_EXIT_MISSING_FILE, "/w/notes.md");
}

static void test_damage_with_success(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	fault(calls(s, "write_file", "photo.png", 100, 104, CALL_OK, NULL),
	      CAUSE_ENCODING_REPLACEMENT, LEG_CLIENT, true, "/w/photo.png");
	closes(s, &both, 0, NULL);
	expect(s, CAUSE_ENCODING_REPLACEMENT, "/w/photo.png");
	assert_int_equal(s->out.failures[0].disposition, DISP_CONTRIBUTING);
}

static void test_damage_and_failure(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	fault(calls(s, "write_file", "photo.png", 100, 104, CALL_OK, NULL),
	      CAUSE_ENCODING_REPLACEMENT, LEG_CLIENT, true, "/w/photo.png");
	calls(s, "read_text_file", "photo.png", 200, 204, CALL_OK, NULL);
	closes(s, &both, EXITED(1), "photo.png came back different\n");
	expect(s, CAUSE_ENCODING_REPLACEMENT, "/w/photo.png");
	assert_int_equal(s->out.failures[0].disposition, DISP_FATAL);
	assert_int_equal(s->out.failures[0].confidence, CONF_CERTAIN);
}

static void test_a_sign_needs_a_failure(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	fault(calls(s, "write_file", "a", 100, 104, CALL_OK, NULL), CAUSE_NULL_BYTE_ARGUMENT,
	      LEG_NONE, false, "a");
	closes(s, &both, EXITED(1), "agent: bad configuration\n");
	expect(s, CAUSE_EXIT_NON_ZERO, "agent");
}

static void test_bytes_that_were_replaced_out_of_sight(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	fault(calls(s, "read_text_file", "menu.txt", 100, 104, CALL_OK, NULL),
	      CAUSE_ENCODING_REPLACEMENT, LEG_NONE, false, "menu.txt");
	closes(s, &both, EXITED(1), "no such dish\n");
	expect(s, CAUSE_ENCODING_REPLACEMENT, "menu.txt");
	assert_int_equal(s->out.failures[0].confidence, CONF_POSSIBLE);
	ends(s, both.client, 1000, 0, NULL);
	expect_none(s);
}

/* The request named a file in bytes that are no UTF-8; the answer was a success. */
static void test_bytes_that_are_no_text(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	fault(calls(s, "write_file", "men\xfc.txt", 100, 104, CALL_OK, NULL), CAUSE_ENCODING_UTF8,
	      LEG_NONE, false, "men\xfc.txt");
	closes(s, &both, EXITED(1), "no menu\n");
	expect(s, CAUSE_ENCODING_UTF8, "men\xfc.txt");
	assert_int_equal(s->out.failures[0].confidence, CONF_POSSIBLE);
	ends(s, both.client, 1000, 0, NULL);
	expect_none(s);
}

static void test_a_sign_and_a_failure(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	fault(calls(s, "read_text_file", "report.txt", 100, 104, CALL_TOOL_ERROR, "Access denied"),
	      CAUSE_NULL_BYTE_ARGUMENT, LEG_NONE, false, "report.txt");
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_NULL_BYTE_ARGUMENT, "report.txt");
}

static void test_traversal_let_through(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	fault(calls(s, "read", "../../etc/passwd", 100, 104, CALL_OK, NULL), CAUSE_PATH_TRAVERSAL,
	      LEG_NONE, true, "/etc/passwd");
	closes(s, &both, 0, NULL);
	expect(s, CAUSE_PATH_TRAVERSAL, "/etc/passwd");
	assert_int_equal(s->out.failures[0].disposition, DISP_CONTRIBUTING);
}

static void test_success_on_the_wire(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);
	struct process *tab = process(s, 30, SERVER, "renderer", 50);

	oom(s, tab, 102);
	ends(s, tab, 103, SIGKILL, NULL);
	calls(s, "browser_navigate", "http://127.0.0.1/", 100, 110, CALL_OK, NULL);
	closes(s, &both, 0, NULL);
	expect(s, CAUSE_MEMORY_OOM_CGROUP, "/pods/box");
}

static void test_server_died_of_memory(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	oom(s, both.server, 102);
	ends(s, both.server, 103, SIGKILL, NULL);
	calls(s, "load", "big.csv", 100, 0, CALL_NEVER, NULL);
	incident(s, INCIDENT_CLOSED, 103)->open = 1;
	ends(s, both.client, 1000, EXITED(1), "Error: Connection closed\n");
	expect(s, CAUSE_MEMORY_OOM_CGROUP, "/pods/box");
}

static void test_server_failed_by_itself(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	ends(s, both.server, 103, EXITED(1), "TypeError: x is not a function\n");
	calls(s, "load", "big.csv", 100, 0, CALL_NEVER, NULL);
	incident(s, INCIDENT_CLOSED, 103)->open = 1;
	ends(s, both.client, 1000, EXITED(1), "Error: Connection closed\n");
	expect(s, CAUSE_TRANSPORT_CLOSED, "load big.csv");
	for (size_t i = 1; i < s->out.n_failures; i++)
		assert_true(s->out.failures[i].disposition < DISP_CONTRIBUTING);
}

static void test_never_answered(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	calls(s, "wait", "", 100, 600, CALL_CANCELLED, NULL);
	closes(s, &both, EXITED(1), "Error: Request timed out\n");
	expect(s, CAUSE_DEADLINE_NO_RESPONSE, "wait");
}

static void test_swallowed_denial(void **state)
{
	static const struct syscall denied = { .syscall = "connect",
					       .err = EPERM,
					       .entry = SF_DENIED };
	struct scene *s = *state;
	struct session both = session(s);

	fails(s, both.server, 102, &denied);
	calls(s, "fetch", "", 100, 600, CALL_CANCELLED, NULL);
	closes(s, &both, EXITED(1), "Error: Request timed out\n");
	expect(s, CAUSE_SECCOMP_DENIED, "connect");
}

static void test_log_on_stdout(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	incident(s, INCIDENT_NOT_JSON, 100);
	closes(s, &both, EXITED(1), "SyntaxError: Unexpected token\n");
	expect(s, CAUSE_PROTOCOL_NOT_JSON, "server");
}

/* The client gives up on the line, and closes the channel a moment before it ends. */
static void test_log_and_a_server_that_ends_well(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	calls(s, "search", "cats", 100, 0, CALL_NEVER, NULL);
	incident(s, INCIDENT_NOT_JSON, 102);
	ends(s, both.server, 150, 0, NULL);
	ends(s, both.client, 160, EXITED(1), "SyntaxError: Unexpected token\n");
	expect(s, CAUSE_PROTOCOL_NOT_JSON, "search cats");
	both.server->status = EXITED(1); /* by itself … */
	expect(s, CAUSE_TRANSPORT_CLOSED, "search cats");
	incident(s, INCIDENT_BROKEN_PIPE, 140); /* … or as its client had left */
	expect(s, CAUSE_PROTOCOL_NOT_JSON, "search cats");
}

static void test_log_that_is_tolerated(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	incident(s, INCIDENT_NOT_JSON, 100);
	calls(s, "search", "cats", 200, 204, CALL_OK, NULL);
	closes(s, &both, EXITED(1), "agent: bad configuration\n");
	expect(s, CAUSE_EXIT_NON_ZERO, "agent");
}

/* What is seen on the wire to be answered may never have been read. */
static void test_log_before_the_last_answer(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	calls(s, "search", "cats", 100, 104, CALL_OK, NULL);
	incident(s, INCIDENT_NOT_JSON, 102);
	closes(s, &both, EXITED(1), "json.decoder.JSONDecodeError: Extra data\n");
	expect(s, CAUSE_PROTOCOL_NOT_JSON, "server");
}

/* The client waits in vain and kills its server: the echo of a write that nobody reads. */
static void test_stuck_then_put_away(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	calls(s, "query", "", 100, 600, CALL_NEVER, NULL);
	incident(s, INCIDENT_BLOCKED, 600)->open = 1;
	signal_from(s, both.server, SIGKILL, 0, "agent", CLIENT, 590, 0);
	ends(s, both.server, 600, SIGKILL, NULL);
	ends(s, both.client, 1000, EXITED(1), "TimeoutError: no answer\n");
	expect(s, CAUSE_TRANSPORT_BLOCKED, "query");
}

static void test_too_long_a_request(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	calls(s, "count", "", 100, 104, CALL_ERROR, "HTTP status 413")->code = 413;
	incident(s, INCIDENT_OVERSIZED, 104)->open = 1;
	closes(s, &both, EXITED(1), "Error: HTTP 413\n");
	expect(s, CAUSE_TRANSPORT_OVERSIZED, "count");
}

/* Not the client, which waits, but a time limit around the server. */
static void test_server_killed_by_its_wrapper(void **state)
{
	struct scene *s = *state;
	struct process *client = process(s, CLIENT, 0, "agent", 1);
	struct process *limit = process(s, 15, CLIENT, "timeout", 2);
	struct process *server = process(s, SERVER, 15, "server", 3);

	calls(s, "compile", "large", 100, 600, CALL_NEVER, NULL);
	incident(s, INCIDENT_CLOSED, 600)->open = 1;
	signal_from(s, server, SIGKILL, 0, "timeout", 15, 590, 0);
	ends(s, server, 600, SIGKILL, NULL);
	ends(s, limit, 610, EXITED(137), NULL);
	ends(s, client, 1000, EXITED(1), "EOFError: the server has gone\n");
	expect(s, CAUSE_DEADLINE_KILLED, "timeout");
}

/* Nobody waits for this server any more, and what it was to do is not done. */
static void test_work_lost_with_its_client(void **state)
{
	struct scene *s = *state;
	struct process *main = process(s, 5, 0, "agent", 1);
	struct process *client = process(s, CLIENT, 5, "submit", 2);
	struct process *server = process(s, SERVER, CLIENT, "server", 3);

	calls(s, "render", "film.txt", 100, 0, CALL_NEVER, NULL);
	ends(s, client, 110, 0, NULL);
	incident(s, INCIDENT_BROKEN_PIPE, 300)->open = 1;
	ends(s, server, 310, EXITED(1), "BrokenPipeError\n");
	ends(s, main, 1000, EXITED(1), "no film\n");
	expect(s, CAUSE_TRANSPORT_BROKEN_PIPE, "server");
	assert_int_equal(s->out.failures[0].confidence, CONF_POSSIBLE);
}

static void test_told_by_a_harness(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, CLIENT, 0, "payload", 1);
	struct call *c = calls(s, "write_file", "review.md", 100, 104, CALL_TOOL_ERROR, EROFS_SAID);

	c->client = c->server = (struct call_peer){ 0 };
	c->source = CALL_TOLD;
	fails(s, p, 102, &read_only);
	ends(s, p, 1000, 0, NULL);
	s->t->rec.outcome = OUTCOME_FAILED;
	expect(s, CAUSE_READ_ONLY_MOUNT, "/w/review.md");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scene_new, scene_free)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_refusal_behind_it),
		TEST(test_refusal_before_it),
		TEST(test_refusal_elsewhere),
		TEST(test_nothing_behind_it),
		TEST(test_its_code),
		TEST(test_the_client_expected_it),
		TEST(test_tried_again),
		TEST(test_the_one_that_is_repeated),
		TEST(test_the_last_one),
		TEST(test_an_earlier_one_alone),
		TEST(test_an_earlier_one_and_a_bug),
		TEST(test_missing_file),
		TEST(test_damage_with_success),
		TEST(test_damage_and_failure),
		TEST(test_a_sign_needs_a_failure),
		TEST(test_bytes_that_were_replaced_out_of_sight),
		TEST(test_bytes_that_are_no_text),
		TEST(test_a_sign_and_a_failure),
		TEST(test_traversal_let_through),
		TEST(test_success_on_the_wire),
		TEST(test_server_died_of_memory),
		TEST(test_server_failed_by_itself),
		TEST(test_never_answered),
		TEST(test_swallowed_denial),
		TEST(test_log_on_stdout),
		TEST(test_log_and_a_server_that_ends_well),
		TEST(test_log_that_is_tolerated),
		TEST(test_log_before_the_last_answer),
		TEST(test_stuck_then_put_away),
		TEST(test_too_long_a_request),
		TEST(test_server_killed_by_its_wrapper),
		TEST(test_work_lost_with_its_client),
		TEST(test_told_by_a_harness),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
