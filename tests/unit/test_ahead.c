/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <sched.h>
#include <sys/wait.h>
#include <time.h>

#include "ahead.h"
#include "util.h"

#define NOT_ALLOWED 77 /* no CAP_SYS_NICE, or a cgroup without real time */

static int in_child(int (*fn)(void))
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(ahead_begin() < 0 ? NOT_ALLOWED : fn());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* Processor time of ours, ns. */
static int64_t used(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

static void spin(int64_t ns)
{
	int64_t until = util_now_boottime() + ns;

	while (util_now_boottime() < until)
		;
}

/* Of what there is a quarter, and as much again for ticks that are long; time and again. */
static int is_laid_to_rest(void)
{
	for (int i = 0; i < 3; i++) {
		int64_t before = used();

		if (sched_getscheduler(0) != SCHED_FIFO)
			return 1;
		spin(NSEC_PER_SEC / 2);
		if (used() - before > NSEC_PER_SEC / 4)
			return 2;
	}
	return 0;
}

/* Short turns with rests in between are what it is for: none takes as long as a rest. */
static int is_let_alone(void)
{
	const struct timespec rest = { .tv_nsec = NSEC_PER_MSEC };

	for (int i = 0; i < 100; i++) {
		spin(NSEC_PER_MSEC / 2);
		nanosleep(&rest, NULL);
	}
	return sched_getscheduler(0) == SCHED_FIFO && used() >= 10 * NSEC_PER_MSEC ? 0 : 1;
}

static int or_skip(int status)
{
	if (status == NOT_ALLOWED)
		skip();
	return status;
}

static void who_does_not_rest_is_laid_to_rest(void **state)
{
	assert_int_equal(or_skip(in_child(is_laid_to_rest)), 0);
}

static void who_rests_is_let_alone(void **state)
{
	assert_int_equal(or_skip(in_child(is_let_alone)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_does_not_rest_is_laid_to_rest),
		cmocka_unit_test(who_rests_is_let_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
