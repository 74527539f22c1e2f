/* SPDX-License-Identifier: GPL-2.0-only */
/* Who else opened a file that a tool had written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "contest.h"
#include "names.h"

#define SERVER 10
#define CHILD  11
#define AGENT  20
#define AT(ms) ((uint64_t)(ms)*NSEC_PER_MSEC)

static struct task *task;
static struct call write_call, read_call;
static struct call_fault fault;

static int set_up(void **state)
{
	void *v = NULL;
	size_t cap = 0;

	task = task_new(1);
	assert_non_null(task_add_process(task, SERVER, SERVER));
	task_add_process(task, CHILD, CHILD)->parent = (struct process_key){ SERVER, SERVER };
	task_add_process(task, AGENT, AGENT);
	write_call = (struct call){ .id = 1, .session = 1, .server = { SERVER, SERVER } };
	write_call.tool = strdup("write_file");
	text_set(&write_call.subject, "a/b.txt", 7);
	write_call.started_ns = AT(1000);
	write_call.ended_ns = AT(1001);
	read_call = (struct call){ .id = 2, .session = 1, .server = { SERVER, SERVER } };
	read_call.started_ns = AT(2000);
	read_call.ended_ns = AT(2001);
	fault = (struct call_fault){ .cause = CAUSE_PAYLOAD_TRUNCATED, .leg = LEG_WRITE };
	text_set(&fault.subject, "a/b.txt", 7);
	assert_int_equal(util_grow(&v, &cap, 1, sizeof(*task->calls.v)), 0);
	task->calls.v = v;
	task->calls.cap = cap;
	task->calls.v[task->calls.n++] = calloc(1, sizeof(struct call));
	*task->calls.v[0] = write_call;
	return 0;
}

static int tear_down(void **state)
{
	text_free(&fault.subject);
	task_free(task); /* and with it the write's strings */
	return 0;
}

static void opened(uint32_t tgid, const char *path, uint64_t at_ns)
{
	const struct sf_key key = { .tgid = tgid, .start_ns = tgid, .hash = at_ns };
	struct signature *s = task_add_signature(task, &key);

	assert_non_null(s);
	s->classes = SYS_OPEN;
	s->first_ns = s->last_ns = at_ns;
	text_set(&s->subject, path, strlen(path));
}

static void test_others(void **state)
{
	assert_false(contest_written(task, &write_call, &fault));
	opened(AGENT, "/w/a/b.txt", AT(999)); /* before: the tool has overwritten that */
	opened(SERVER, "/w/a/b.txt", AT(1000));
	opened(CHILD, "/w/a/b.txt", AT(1001));
	opened(AGENT, "/w/a/bb.txt", AT(1001));
	opened(AGENT, "/w/xa/b.txt", AT(1001));
	opened(AGENT, "/w/a/b.txt", AT(1200)); /* after it was looked at */
	assert_false(contest_written(task, &write_call, &fault));
	opened(AGENT, "/w/a/b.txt", AT(1001));
	assert_true(contest_written(task, &write_call, &fault));
	/* of damage that no edit makes the tool is known to be the owner */
	fault.cause = CAUSE_ENCODING_REPLACEMENT;
	assert_false(contest_written(task, &write_call, &fault));
}

/* Between a write and the read of it that is compared. */
static void test_between(void **state)
{
	fault.leg = LEG_ROUND;
	opened(AGENT, "/w/a/b.txt", AT(1500));
	assert_true(contest_written(task, &read_call, &fault));
	read_call.session = 2; /* whose last write is not known */
	assert_false(contest_written(task, &read_call, &fault));
}

static void test_spellings(void **state)
{
	opened(AGENT, "/w/a/b.txt", AT(1001));
	text_set(&fault.subject, "/w/x/../a/b.txt", 15);
	assert_true(contest_written(task, &write_call, &fault));
	text_set(&fault.subject, "./a//b.txt", 10);
	assert_true(contest_written(task, &write_call, &fault));
	text_set(&fault.subject, "../a/b.txt", 10);
	assert_true(contest_written(task, &write_call, &fault));
	text_set(&fault.subject, "/x/a/b.txt", 10);
	assert_false(contest_written(task, &write_call, &fault));
	text_free(&fault.subject);
	assert_false(contest_written(task, &write_call, &fault));
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_others),
		TEST(test_between),
		TEST(test_spellings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
