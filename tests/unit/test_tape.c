/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "replay.h"
#include "tape.h"

static char dir[] = "/tmp/test-tape-XXXXXX";
static char path[64];

static int setup(void **state)
{
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/t.tape", dir);
	return 0;
}

static int teardown(void **state)
{
	unlink(path);
	return rmdir(dir);
}

/* A task of one process, which a harness said had failed. */
static void record(uint32_t alias_of)
{
	struct task *t = task_new(7);
	struct tape *tape;

	assert_non_null(t);
	t->rec.campaign = strdup("nightly");
	t->rec.task = strdup("t-17");
	t->rec.source = strdup("begin");
	t->rec.attempt = 2;
	t->started_ns = 1000;
	t->ended_ns = 2000;
	t->outcome_given = true;
	t->rec.outcome = OUTCOME_FAILED;
	t->rec.exit_code = 3;
	assert_int_equal(tape_create(&tape, path, 11), 0);
	tape_task(tape, t);
	if (alias_of)
		tape_alias(tape, 99, t);
	tape_verdict(tape, t, 3000, 50);
	assert_int_equal(tape_close(tape), 0);
	task_free(t);
}

static void frames_come_back_as_they_were(void **state)
{
	_cleanup_free_ char *why = NULL;
	const struct tape_verdict *v;
	const struct tape_task *task;
	enum tape_kind kind;
	struct tape *tape;
	const void *data;
	size_t len;

	record(0);
	assert_int_equal(tape_open(&tape, path, &why), 0);
	assert_int_equal(tape_own_mntns(tape), 11);
	assert_int_equal(tape_read(tape, &kind, &data, &len), 1);
	assert_int_equal(kind, TAPE_TASK);
	task = data;
	assert_int_equal(task->instance, 7);
	assert_memory_equal(task + 1, "nightly\0t-17\0begin", 19);
	assert_int_equal(len, sizeof(*task) + 19);
	assert_int_equal(tape_read(tape, &kind, &data, &len), 1);
	assert_int_equal(kind, TAPE_VERDICT);
	v = data;
	assert_int_equal(v->now_ns, 3000);
	assert_int_equal(v->exit_code, 3);
	assert_int_equal(tape_read(tape, &kind, &data, &len), 0);
	tape_close(tape);
}

struct seen {
	unsigned int n;
	int attempt, exit_code;
	int64_t started_ns;
	enum outcome outcome;
	bool verdict;
};

static void see(const struct task_record *rec, void *arg)
{
	struct seen *s = arg;

	s->n++;
	s->attempt = rec->attempt;
	s->exit_code = rec->exit_code;
	s->started_ns = rec->started_ns;
	s->outcome = rec->outcome;
	s->verdict = rec->verdict_fingerprint != 0;
}

static void a_task_is_judged_again(void **state)
{
	_cleanup_free_ char *why = NULL;
	struct seen s = { 0 };

	record(1);
	assert_int_equal(replay_tape(path, see, &s, &why), 0);
	assert_int_equal(s.n, 1);
	assert_int_equal(s.attempt, 2);
	assert_int_equal(s.exit_code, 3);
	assert_int_equal(s.started_ns, 1050);
	assert_int_equal(s.outcome, OUTCOME_FAILED);
}

static void what_is_no_tape_is_refused(void **state)
{
	_cleanup_free_ char *why = NULL;
	struct seen s = { 0 };
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	fputs("a text that was put here by mistake, long enough to hold a header of a recording, "
	      "and a bit more than that",
	      f);
	fclose(f);
	assert_int_equal(replay_tape(path, see, &s, &why), -EBADMSG);
	assert_string_equal(why, "this is no recording");
	assert_int_equal(s.n, 0);
}

static void a_tape_that_is_cut_is_refused(void **state)
{
	_cleanup_free_ char *why = NULL;
	struct seen s = { 0 };
	struct stat st;

	record(0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(truncate(path, st.st_size / 2), 0);
	assert_true(replay_tape(path, see, &s, &why) < 0);
	assert_int_equal(s.n, 0);
}

static void a_missing_file_says_so(void **state)
{
	_cleanup_free_ char *why = NULL;
	struct seen s = { 0 };

	assert_int_equal(replay_tape("/nonexistent/tape", see, &s, &why), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_come_back_as_they_were),
		cmocka_unit_test(a_task_is_judged_again),
		cmocka_unit_test(what_is_no_tape_is_refused),
		cmocka_unit_test(a_tape_that_is_cut_is_refused),
		cmocka_unit_test(a_missing_file_says_so),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
