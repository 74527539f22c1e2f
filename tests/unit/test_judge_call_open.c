/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls that stay open: refused until the client gives up, or left by a client with troubles of its own. */
#include "scene_call.h"

static const struct syscall read_only = {
	.syscall = "openat", .err = EROFS, .path = "/w/ro/b", .args = { 0, 0, 0101 }
};

/* ---- refused until the client gives up ---- */

static void gives_up(struct scene *s, const struct session *both)
{
	calls(s, "index", ".", 100, 920, CALL_NEVER, NULL);
	ends(s, both->client, 900, EXITED(1), "TimeoutError: no answer\n");
	ends(s, both->server, 920, 0, NULL);
}

static void retries(struct scene *s, const struct session *both, uint64_t from, uint64_t to,
		    unsigned int n)
{
	struct signature *sig = fails(s, both->server, from, &read_only);

	sig->last_ns = to * MS;
	sig->count = n;
}

static void test_retried_until_the_end(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	retries(s, &both, 110, 800, 7);
	gives_up(s, &both);
	expect(s, CAUSE_READ_ONLY_MOUNT, "/w/ro/b");
}

static void test_refused_at_the_beginning(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	retries(s, &both, 110, 180, 7);
	gives_up(s, &both);
	expect(s, CAUSE_DEADLINE_NO_RESPONSE, "index .");
}

/* What it does all the time is not what the call waits for. */
static void test_refused_before_the_call_too(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	retries(s, &both, 20, 800, 9);
	gives_up(s, &both);
	expect(s, CAUSE_DEADLINE_NO_RESPONSE, "index .");
}

/* ---- the client's own end ---- */

#define TRACE "Traceback (most recent call last):\n  File \"agent.py\", line 3, in <module>\n"

static void client_ends(struct scene *s, int status, const char *said)
{
	struct session both = session(s);

	calls(s, "slow", "", 100, 400, CALL_NEVER, NULL);
	ends(s, both.client, 120, status, said);
	ends(s, both.server, 400, EXITED(1), NULL);
}

static void test_client_with_a_bug(void **state)
{
	incident(*state, INCIDENT_BROKEN_PIPE, 390)->open = 1;
	client_ends(*state, EXITED(1), TRACE "KeyError: 'tools'\n");
	expect(*state, CAUSE_EXIT_NON_ZERO, "agent");
}

static void test_client_that_waited(void **state)
{
	client_ends(*state, EXITED(1), TRACE "ValueError: timeout after 20 s\n");
	expect(*state, CAUSE_DEADLINE_NO_RESPONSE, "slow");
}

static void test_client_that_crashed(void **state)
{
	struct scene *s = *state;

	client_ends(s, SIGSEGV, NULL);
	signal_from(s, task_find_process(s->t, CLIENT, CLIENT), SIGSEGV, 1, "agent", CLIENT, 119,
		    1);
	expect(s, CAUSE_CRASH_SIGNAL, "agent");
}

static void test_bug_after_guesses(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	calls(s, "read_file", "b.txt", 100, 104, CALL_TOOL_ERROR, "no such file here: b.txt");
	calls(s, "read_file", "c.txt", 110, 114, CALL_TOOL_ERROR, "no such file here: c.txt");
	calls(s, "read_file", "a.txt", 120, 124, CALL_OK, NULL);
	closes(s, &both, EXITED(1), TRACE "ValueError: invalid literal for int(): 'one'\n");
	expect(s, CAUSE_EXIT_NON_ZERO, "agent");
}

/* Its runtime closes the channel a moment before it ends: the server leaves first. */
static void closes_first(struct scene *s, const char *said)
{
	struct session both = session(s);

	calls(s, "slow", "", 100, 402, CALL_NEVER, NULL);
	ends(s, both.server, 402, EXITED(1), NULL);
	ends(s, both.client, 406, EXITED(1), said);
}

static void test_client_that_gave_up_closes_first(void **state)
{
	closes_first(*state, "TimeoutError: no answer within 3 s\n");
	expect(*state, CAUSE_DEADLINE_NO_RESPONSE, "slow");
}

static void test_server_that_leaves_first(void **state)
{
	closes_first(*state, "EOFError: the server has closed its output\n");
	expect(*state, CAUSE_TRANSPORT_CLOSED, "slow");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_retried_until_the_end),	     T(test_refused_at_the_beginning),
		T(test_refused_before_the_call_too), T(test_client_with_a_bug),
		T(test_client_that_waited),	     T(test_client_that_gave_up_closes_first),
		T(test_server_that_leaves_first),    T(test_client_that_crashed),
		T(test_bug_after_guesses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
