/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "mover.h"
#include "until.h"

/* A FIFO takes a pid a write, as cgroup.procs does, and lets a write wait for its reader. */
struct scene {
	struct loop *l;
	struct mover *m;
	char dir[32], file[48];
	int fd; /* the FIFO's reader; -1: none */
	int told;
	size_t n;
	pid_t pids[4];
	int results[4];
};

static void on_moved(const pid_t *pids, const int *results, size_t n, void *arg)
{
	struct scene *s = arg;

	assert_true(n <= ARRAY_SIZE(s->pids));
	s->told++;
	s->n = n;
	memcpy(s->pids, pids, n * sizeof(*pids));
	memcpy(s->results, results, n * sizeof(*results));
}

static int set_up(void **state)
{
	struct scene *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	assert_int_equal(loop_new(&s->l), 0);
	assert_int_equal(mover_new(&s->m, s->l), 0);
	strcpy(s->dir, "/tmp/sandfault-mover-XXXXXX");
	assert_non_null(mkdtemp(s->dir));
	snprintf(s->file, sizeof(s->file), "%s/procs", s->dir);
	assert_int_equal(mkfifo(s->file, 0600), 0);
	s->fd = -1;
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *s = *state;

	mover_free(s->m);
	loop_free(s->l);
	if (s->fd >= 0)
		close(s->fd);
	unlink(s->file);
	rmdir(s->dir);
	free(s);
	return 0;
}

static void move(struct scene *s, const char *file, size_t n, const pid_t *pids)
{
	pid_t *copy = malloc(n * sizeof(*pids));

	assert_non_null(copy);
	memcpy(copy, pids, n * sizeof(*pids));
	assert_int_equal(mover_move(s->m, file, copy, n, on_moved, s), 0);
}

static bool was_told(void *arg)
{
	return ((struct scene *)arg)->told > 0;
}

static bool was_told_twice(void *arg)
{
	return ((struct scene *)arg)->told > 1;
}

static void each_pid_is_written(void **state)
{
	struct scene *s = *state;
	char text[32] = "";

	s->fd = open(s->file, O_RDWR | O_NONBLOCK);
	assert_true(s->fd >= 0);
	move(s, s->file, 2, (pid_t[]){ 41, 4200000 });
	assert_true(run_until(s->l, was_told, s));
	assert_int_equal(s->n, 2);
	assert_int_equal(s->pids[1], 4200000);
	assert_int_equal(s->results[0], 0);
	assert_int_equal(s->results[1], 0);
	assert_int_equal(read(s->fd, text, sizeof(text) - 1), 9);
	assert_string_equal(text, "414200000");
}

static void what_fails_says_why(void **state)
{
	struct scene *s = *state;
	char none[64];

	snprintf(none, sizeof(none), "%s/none/procs", s->dir);
	move(s, none, 2, (pid_t[]){ 41, 42 });
	assert_true(run_until(s->l, was_told, s));
	assert_int_equal(s->results[0], -ENOENT);
	assert_int_equal(s->results[1], -ENOENT);
}

/* Opening a FIFO for writing waits for its reader: meanwhile the loop is free. */
static void the_loop_does_not_wait(void **state)
{
	struct scene *s = *state;
	int64_t before = util_now_boottime();

	move(s, s->file, 1, (pid_t[]){ 41 });
	move(s, s->file, 1, (pid_t[]){ 43 });
	assert_true(util_now_boottime() - before < NSEC_PER_SEC);
	assert_int_equal(s->told, 0);
	s->fd = open(s->file, O_RDWR);
	assert_true(run_until(s->l, was_told_twice, s));
	assert_int_equal(s->pids[0], 43);
	assert_int_equal(s->results[0], 0);
}

static void what_waits_is_dropped_at_the_end(void **state)
{
	struct scene *s = *state;

	s->fd = open(s->file, O_RDWR);
	for (int i = 0; i < 100; i++)
		move(s, s->file, 1, (pid_t[]){ 41 });
	mover_free(TAKE_PTR(s->m));
	assert_int_equal(s->told, 0);
	mover_free(NULL);
}

#define T(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(each_pid_is_written),
		T(what_fails_says_why),
		T(the_loop_does_not_wait),
		T(what_waits_is_dropped_at_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
