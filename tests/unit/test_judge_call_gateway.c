/* SPDX-License-Identifier: GPL-2.0-only */
/* A gateway between the agent and a server that is not the gateway's child: two channels, one call. */
#include "scene_call.h"

#define GATEWAY	 SERVER
#define UPSTREAM 40

static const struct syscall read_only = {
	.syscall = "openat", .err = EROFS, .path = "/w/review.md", .args = { 0, 0, 0101 }
};

#define EROFS_SAID "EROFS: read-only file system, open '/w/review.md'"

/* The gateway's own call of `tool`. */
static struct call *passes_on(struct scene *s, const char *tool, uint64_t from, uint64_t to,
			      enum call_end end, const char *said)
{
	struct call *c = calls(s, tool, "review.md", from, to, end, said);

	c->session = 2;
	c->client = (struct call_peer){ .tgid = GATEWAY, .start_ns = GATEWAY };
	c->server = (struct call_peer){ .tgid = UPSTREAM, .start_ns = UPSTREAM };
	return c;
}

static void refused_behind(struct scene *s, const char *tool, uint64_t from)
{
	struct session both = session(s);
	struct process *upstream = process(s, UPSTREAM, CLIENT, "upstream", 3);

	fails(s, upstream, from + 2, &read_only);
	calls(s, "fs__write_file", "review.md", 100, 120, CALL_TOOL_ERROR, EROFS_SAID);
	passes_on(s, tool, from, from + 4, CALL_TOOL_ERROR, EROFS_SAID);
	signal_from(s, upstream, SIGKILL, 0, "agent", CLIENT, 890, 0);
	ends(s, upstream, 891, SIGKILL, NULL);
	closes(s, &both, EXITED(1), "Error: " EROFS_SAID "\n");
}

static void test_refusal_behind(void **state)
{
	refused_behind(*state, "write_file", 105);
	expect(*state, CAUSE_READ_ONLY_MOUNT, "/w/review.md");
}

static void test_another_tool_behind(void **state)
{
	refused_behind(*state, "append", 105);
	expect(*state, CAUSE_PROTOCOL_TOOL_ERROR, "fs__write_file review.md");
}

static void test_behind_another_call(void **state)
{
	refused_behind(*state, "write_file", 205);
	expect(*state, CAUSE_PROTOCOL_TOOL_ERROR, "fs__write_file review.md");
}

/* What is handed on went well: that makes nothing good of what was handed in. */
static void damaged(struct scene *s, uint64_t from)
{
	struct session both = session(s);
	struct call *c = calls(s, "write_file", "review.md", 100, 120, CALL_OK, NULL);

	process(s, UPSTREAM, CLIENT, "upstream", 3);
	fault(c, CAUSE_ENCODING_UTF8, LEG_WRITE, true, "review.md");
	passes_on(s, "write_file", from, from + 4, CALL_OK, NULL);
	closes(s, &both, EXITED(1), NULL);
}

static void test_damage_before_it(void **state)
{
	damaged(*state, 105);
	expect(*state, CAUSE_ENCODING_UTF8, "review.md");
}

static void test_damage_made_good(void **state)
{
	damaged(*state, 205);
	expect(*state, CAUSE_EXIT_NON_ZERO, "agent");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_refusal_behind),	  T(test_another_tool_behind), T(test_behind_another_call),
		T(test_damage_before_it), T(test_damage_made_good),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
