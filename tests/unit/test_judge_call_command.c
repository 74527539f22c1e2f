/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls that tell of a command's failure as a result. */
#include "scene_call.h"

#define CHILD 30

static const struct syscall read_only = {
	.syscall = "openat", .err = EROFS, .path = "/w/ro/board", .args = { 0, 0, 0101 }
};

#define SAID "cp: cannot create regular file 'ro/board': Read-only file system\n"

/* What the server ran for the call, which failed so. */
static struct process *ran(struct scene *s, uint32_t pid, const char *comm, uint64_t from,
			   uint64_t to, int status, const char *said)
{
	struct process *p = process(s, pid, SERVER, comm, from);

	ends(s, p, to, status, said);
	return p;
}

static struct call *run_copy(struct scene *s, uint64_t from, int status)
{
	struct process *cp = ran(s, CHILD, "cp", from + 10, from + 30, EXITED(1), SAID);
	struct call *c = calls(s, "run_command", "cp a ro/board", from, from + 40, CALL_OK, SAID);

	fails(s, cp, from + 20, &read_only);
	c->status = status;
	return c;
}

static void test_the_last_command(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	run_copy(s, 100, 1);
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_READ_ONLY_MOUNT, "/w/ro/board");
}

static void test_another_status(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	run_copy(s, 100, 3);
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_EXIT_NON_ZERO, "agent");
}

static void test_the_agent_goes_on(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	run_copy(s, 100, 1);
	closes(s, &both, 0, NULL);
	expect_none(s);
}

/* … and fails for another reason, which it tells. */
static void test_an_earlier_command(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	run_copy(s, 100, 1);
	calls(s, "run_command", "make", 200, 240, CALL_OK, NULL);
	closes(s, &both, EXITED(1), "agent: the model gave no answer\n");
	expect(s, CAUSE_EXIT_NON_ZERO, "agent");
}

static void test_an_earlier_command_repeated(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	run_copy(s, 100, 1);
	calls(s, "run_command", "make", 200, 240, CALL_OK, NULL);
	closes(s, &both, EXITED(1), SAID);
	expect(s, CAUSE_READ_ONLY_MOUNT, "/w/ro/board");
}

static void test_tried_again(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	run_copy(s, 100, 1);
	calls(s, "run_command", "cp a ro/board", 200, 240, CALL_OK, NULL);
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_EXIT_NON_ZERO, "agent");
}

static void test_a_bug_after_the_last_command(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	run_copy(s, 100, 1);
	closes(s, &both, EXITED(1),
	       "Traceback (most recent call last):\n  File \"agent.py\", line 3, in <module>\n"
	       "KeyError: 'tools'\n");
	expect(s, CAUSE_EXIT_NON_ZERO, "agent");
}

/* The shell ended for something else than the refusal that it tolerated. */
static void test_tolerated_inside(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);
	struct process *sh = ran(s, CHILD, "sh", 110, 135, EXITED(1), NULL);
	struct process *cp = process(s, CHILD + 1, CHILD, "cp", 112);
	struct process *test = process(s, CHILD + 2, CHILD, "pytest", 122);

	assert_non_null(sh);
	fails(s, cp, 114, &read_only);
	ends(s, cp, 120, EXITED(2), SAID);
	ends(s, test, 130, EXITED(1), "1 failed\n");
	calls(s, "run_command", "cp a ro/board; pytest", 100, 140, CALL_OK, NULL)->status = 1;
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_EXIT_NON_ZERO, "agent");
}

/* A shell that the server keeps, begun a moment before. */
static void test_in_a_shell_that_stays(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);
	struct process *sh = process(s, CHILD, SERVER, "bash", 98);
	struct process *cp = process(s, CHILD + 1, CHILD, "cp", 112);

	fails(s, cp, 114, &read_only);
	ends(s, cp, 120, EXITED(1), SAID);
	calls(s, "bash", "cp a ro/board", 100, 140, CALL_OK, SAID)->status = 1;
	ends(s, sh, 145, 0, NULL);
	closes(s, &both, EXITED(3), NULL);
	expect(s, CAUSE_READ_ONLY_MOUNT, "/w/ro/board");
}

static void test_nothing_behind_it(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	ran(s, CHILD, "pytest", 110, 130, EXITED(1), "1 failed\n");
	calls(s, "run_command", "pytest", 100, 140, CALL_OK, NULL)->status = 1;
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_EXIT_NON_ZERO, "agent");
}

static void test_crash(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);
	struct process *sh = ran(s, CHILD, "sh", 110, 135, EXITED(139), NULL);
	struct process *p = process(s, CHILD + 1, CHILD, "render", 112);

	assert_non_null(sh);
	signal_from(s, p, SIGSEGV, 1, "render", CHILD + 1, 119, 1);
	ends(s, p, 120, SIGSEGV, NULL);
	calls(s, "run_command", "./render", 100, 140, CALL_OK, NULL)->status = 139;
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_CRASH_SIGNAL, "render");
}

static void test_signal_as_python_has_it(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);
	struct process *p = process(s, CHILD, SERVER, "render", 112);

	signal_from(s, p, SIGSEGV, 1, "render", CHILD, 119, 1);
	ends(s, p, 120, SIGSEGV, NULL);
	calls(s, "run_command", "./render", 100, 140, CALL_OK, NULL)->status = -SIGSEGV;
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_CRASH_SIGNAL, "render");
}

static void lost_worker(struct scene *s, const char *said)
{
	struct session both = session(s);
	struct process *p = process(s, CHILD, SERVER, "render", 112);

	signal_from(s, p, SIGSEGV, 1, "render", CHILD, 119, 1);
	ends(s, p, 120, SIGSEGV, NULL);
	calls(s, "render", "page.pdf", 100, 140, CALL_OK, NULL);
	closes(s, &both, EXITED(1), said);
}

static void test_worker_that_is_missed(void **state)
{
	lost_worker(*state, "page.pdf is not there\n");
	expect(*state, CAUSE_CRASH_SIGNAL, "render");
}

static void test_worker_that_is_not(void **state)
{
	lost_worker(*state, "no such model\n");
	expect(*state, CAUSE_EXIT_NON_ZERO, "agent");
}

/* … and no status: then its client must name what was refused. */
static void test_no_status(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	run_copy(s, 100, 0);
	closes(s, &both, EXITED(1), SAID);
	expect(s, CAUSE_READ_ONLY_MOUNT, "/w/ro/board");
}

static void test_no_status_and_not_named(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	assert_int_equal(text_set(&run_copy(s, 100, 0)->subject, "make", 4), 0);
	closes(s, &both, EXITED(1), "agent: the model gave no answer\n");
	expect(s, CAUSE_EXIT_NON_ZERO, "agent");
}

static void test_error_that_tells_the_status_alone(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);
	struct call *c = run_copy(s, 100, 1);

	c->end = CALL_TOOL_ERROR;
	assert_int_equal(text_set(&c->text, "exit code 1", 11), 0);
	closes(s, &both, EXITED(1), NULL);
	expect(s, CAUSE_READ_ONLY_MOUNT, "/w/ro/board");
	c->status = 2;
	expect(s, CAUSE_PROTOCOL_TOOL_ERROR, "run_command cp a ro/board");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_the_last_command),
		T(test_another_status),
		T(test_the_agent_goes_on),
		T(test_an_earlier_command),
		T(test_an_earlier_command_repeated),
		T(test_tried_again),
		T(test_a_bug_after_the_last_command),
		T(test_tolerated_inside),
		T(test_in_a_shell_that_stays),
		T(test_nothing_behind_it),
		T(test_crash),
		T(test_signal_as_python_has_it),
		T(test_worker_that_is_missed),
		T(test_worker_that_is_not),
		T(test_no_status),
		T(test_no_status_and_not_named),
		T(test_error_that_tells_the_status_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
