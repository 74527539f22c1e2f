/* SPDX-License-Identifier: GPL-2.0-only */
/* What stands behind a failed tool call, where its text says it in words of its own. */
#include "scene_call.h"

/* The sweep along PATH met it in the end; "git" stands in the text all the same. */
static void test_a_sweep_that_found_it(void **state)
{
	static const struct syscall absent = { .syscall = "execve",
					       .err = ENOENT,
					       .path = "/usr/local/bin/git" };
	struct scene *s = *state;
	struct session both = session(s);
	struct process *git = process(s, 30, SERVER, "git", 3);

	fails(s, git, 101, &absent);
	git->exec_ns = 102 * MS;
	ends(s, git, 103, EXITED(128), NULL);
	calls(s, "run", "git status", 100, 104, CALL_TOOL_ERROR,
	      "fatal: detected dubious ownership in repository at '/w/repo'");
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_IDENTITY_OWNERSHIP, "/w/repo");
}

/* Ruby looks along PATH by itself and executes nothing. */
static void test_a_sweep_by_stat(void **state)
{
	static const struct syscall places[] = {
		{ .syscall = "newfstatat", .err = ENOENT, .path = "/usr/local/bin/pandoc" },
		{ .syscall = "newfstatat", .err = ENOENT, .path = "/usr/bin/pandoc" },
	};
	struct scene *s = *state;
	struct session both = session(s);

	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		fails(s, both.server, 101 + i, &places[i]);
	calls(s, "execute", "", 100, 104, CALL_TOOL_ERROR, "No such file or directory - pandoc");
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_BINARY_NOT_FOUND, "pandoc");
}

/* The answer is written by a program that the server runs for it, the file by another one. */
static void test_a_server_of_several_programs(void **state)
{
	static const struct syscall full = { .syscall = "write",
					     .err = ENOSPC,
					     .path = "/w/table.csv" };
	struct scene *s = *state;
	struct session both = session(s);
	struct process *writer = process(s, 30, SERVER, "jq", 3);
	struct process *teller = process(s, 31, SERVER, "jq", 4);
	struct call *c = calls(s, "write_file", "/w/table.csv", 100, 104, CALL_TOOL_ERROR,
			       "writing output failed: No space left on device");

	fails(s, writer, 101, &full);
	ends(s, writer, 102, EXITED(2), NULL);
	ends(s, teller, 104, 0, NULL);
	c->server = (struct call_peer){ .tgid = 31, .start_ns = 31 };
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_DISK_FULL, "/w/table.csv");
}

/* What the client does itself is not its server's. */
static void test_a_refusal_of_the_client(void **state)
{
	static const struct syscall full = {
		.syscall = "openat", .err = EROFS, .path = "/w/table.csv", .args = { 0, 0, 0101 }
	};
	struct scene *s = *state;
	struct session both = session(s);

	fails(s, both.client, 101, &full);
	calls(s, "write_file", "/w/table.csv", 100, 104, CALL_TOOL_ERROR,
	      "EROFS: read-only file system, open '/w/table.csv'");
	ends(s, both.server, 900, 0, NULL);
	ends(s, both.client, 1000, EXITED(1), "Error: the tool says no\n");
	expect(s, CAUSE_PROTOCOL_TOOL_ERROR, "write_file /w/table.csv");
}

/* A runtime's own word for ENOMEM. */
static void test_memory_by_its_own_name(void **state)
{
	static const struct syscall no_memory = { .syscall = "mmap",
						  .err = ENOMEM,
						  .limits = { .valid = SF_LIM_RLIMITS,
							      .rlim_as = 100 << 20 },
						  .args = { 0, 900 << 20 } };
	struct scene *s = *state;
	struct session both = session(s);

	fails(s, both.server, 101, &no_memory);
	calls(s, "load", "", 100, 104, CALL_TOOL_ERROR, "failed to allocate memory");
	closes(s, &both, EXITED(1), NULL);
	assert_string_equal(taxonomy_get(judge(s)->cause)->primitive, "memory");
}

/* Three calls that went well came after a "no" that the client could do without. */
static void test_an_early_no_that_did_not_matter(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	calls(s, "read_file", ".agentrc", 100, 104, CALL_TOOL_ERROR, "no settings here");
	for (uint64_t at = 200; at < 500; at += 100)
		calls(s, "search", "dogs", at, at + 4, CALL_OK, NULL);
	closes(s, &both, EXITED(1), "score 3 is below 5\n");
	expect(s, CAUSE_EXIT_NON_ZERO, "agent");
}

static void test_a_method_that_is_not_there(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);
	struct call *c = calls(s, "", "", 100, 104, CALL_ERROR, "Method not found");

	free(c->tool);
	c->tool = NULL;
	c->code = -32601;
	calls(s, "search", "dogs", 200, 204, CALL_OK, NULL);
	closes(s, &both, EXITED(1), "score 3 is below 5\n");
	expect(s, CAUSE_EXIT_NON_ZERO, "agent");
}

/* Its client had gone before: whoever ends the server then ends nothing. */
static void test_server_ended_after_its_client(void **state)
{
	struct scene *s = *state;
	struct process *main = process(s, 5, 0, "harness", 1);
	struct process *client = process(s, CLIENT, 5, "agent", 2);
	struct process *server = process(s, SERVER, 5, "server", 3);

	calls(s, "slow", "", 100, 600, CALL_NEVER, NULL);
	ends(s, client, 600, EXITED(1), "TimeoutError: timed out\n");
	signal_from(s, server, SIGTERM, 0, "harness", 5, 610, 0);
	ends(s, server, 611, SIGTERM, NULL);
	ends(s, main, 1000, EXITED(1), NULL);
	expect(s, CAUSE_DEADLINE_NO_RESPONSE, "slow");
}

static void test_reset_while_it_waits(void **state)
{
	static const struct syscall reset = { .syscall = "recvfrom", .err = ECONNRESET };
	struct scene *s = *state;
	struct session both = session(s);

	calls(s, "render", "", 100, 600, CALL_NEVER, NULL);
	fails(s, both.client, 590, &reset);
	ends(s, both.server, 1700, 0, NULL);
	ends(s, both.client, 1800, EXITED(1), "ConnectionResetError: [Errno 104]\n");
	expect(s, CAUSE_TRANSPORT_RESET, "render");
}

static void handshake(struct scene *s)
{
	struct call *c = calls(s, "", "", 100, 104, CALL_OK, NULL);

	free(c->tool);
	c->tool = NULL;
	free(c->method);
	c->method = strdup("initialize");
}

/* A banner before the first message is on no channel yet: only its reader tells. */
static void test_a_banner_before_the_handshake(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	handshake(s);
	closes(s, &both, EXITED(1), "unexpected token at 'Loading tools...' (JSON::ParserError)\n");
	expect(s, CAUSE_PROTOCOL_NOT_JSON, "initialize");
}

/* … but a tool's own text may be anything. */
static void test_a_text_that_is_no_json(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	handshake(s);
	calls(s, "read_file", "x", 200, 204, CALL_OK, NULL);
	closes(s, &both, EXITED(1), "unexpected token at 'x' (JSON::ParserError)\n");
	expect(s, CAUSE_EXIT_NON_ZERO, "agent");
}

/* A reader that gave up in the midst of a message: the broken pipe is its echo. */
static void test_too_long_to_be_read_whole(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);
	struct incident *i = incident(s, INCIDENT_BROKEN_PIPE, 200);

	i->by_server = false;
	i->who = i->other;
	i->other = (struct call_peer){ .tgid = SERVER, .start_ns = SERVER };
	i = incident(s, INCIDENT_OVERSIZED, 200);
	i->by_server = false;
	i->who = i->other;
	i->other = (struct call_peer){ .tgid = SERVER, .start_ns = SERVER };
	ends(s, both.server, 190, EXITED(1), "ValueError: chunk exceed the limit\n");
	ends(s, both.client, 1000, EXITED(1), "BrokenPipeError\n");
	expect(s, CAUSE_TRANSPORT_OVERSIZED, "server");
}

/* … or died of it when it was. */
static void test_too_long_for_the_server(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	calls(s, "store", "", 100, 190, CALL_NEVER, NULL)->request_len = 300000;
	incident(s, INCIDENT_OVERSIZED, 100);
	ends(s, both.server, 190, EXITED(1), "ValueError: chunk is longer than limit\n");
	ends(s, both.client, 1000, EXITED(1), "EOFError\n");
	expect(s, CAUSE_TRANSPORT_OVERSIZED, "store");
}

static const struct syscall read_only = {
	.syscall = "openat", .err = EROFS, .path = "/w/review.md", .args = { 0, 0, 0101 }
};

/* The tool swallows the refusal and tells of success; its client misses the file by name. */
static void test_told_well_and_not_done(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	fails(s, both.server, 102, &read_only);
	calls(s, "publish", "/w/review.md", 100, 104, CALL_OK, NULL);
	closes(s, &both, EXITED(1), "/w/review.md is not there\n");
	expect(s, CAUSE_READ_ONLY_MOUNT, "/w/review.md");
	assert_int_equal(s->out.failures[0].confidence, CONF_LIKELY);
}

static void test_told_well_and_not_missed(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	fails(s, both.server, 102, &read_only);
	calls(s, "publish", "/w/review.md", 100, 104, CALL_OK, NULL);
	closes(s, &both, 0, NULL);
	expect_none(s);
}

/* What a search met before the program was found is not what the tool's error is about. */
static void test_search_of_a_program(void **state)
{
	static const struct syscall search = { .syscall = "execve",
					       .err = ENOENT,
					       .path = "/usr/local/bin/sleep" };
	struct scene *s = *state;
	struct session both = session(s);
	struct process *child = process(s, 30, SERVER, "sleep", 100);

	fails(s, child, 101, &search);
	child->exec_ns = 102 * MS;
	child->execs = 1;
	signal_from(s, child, SIGKILL, 0, "server", SERVER, 600, 0);
	ends(s, child, 601, SIGKILL, NULL);
	calls(s, "shell", "", 100, 602, CALL_TOOL_ERROR, "Command 'sleep' timed out after 1 s");
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_DEADLINE_KILLED, "server");
}

static void test_crash_of_what_a_tool_ran(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);
	struct process *child = process(s, 30, SERVER, "sum", 100);

	ends(s, child, 103, SIGSEGV, NULL);
	calls(s, "shell", "./sum", 100, 105, CALL_TOOL_ERROR, "exit status 139");
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_CRASH_SIGNAL, "sum");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scene_new, scene_free)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_a_sweep_that_found_it),	 TEST(test_a_sweep_by_stat),
		TEST(test_a_server_of_several_programs), TEST(test_a_refusal_of_the_client),
		TEST(test_memory_by_its_own_name),	 TEST(test_an_early_no_that_did_not_matter),
		TEST(test_a_method_that_is_not_there),	 TEST(test_server_ended_after_its_client),
		TEST(test_reset_while_it_waits),	 TEST(test_a_banner_before_the_handshake),
		TEST(test_a_text_that_is_no_json),	 TEST(test_too_long_to_be_read_whole),
		TEST(test_too_long_for_the_server),	 TEST(test_told_well_and_not_done),
		TEST(test_told_well_and_not_missed),	 TEST(test_search_of_a_program),
		TEST(test_crash_of_what_a_tool_ran),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
