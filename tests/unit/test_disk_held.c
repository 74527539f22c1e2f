/* SPDX-License-Identifier: GPL-2.0-only */
/* A server that ends right after its answer: its files are found all the same, for a while. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "disk_internal.h"
#include "until.h"

static char dir[64];
static pid_t pid;
static struct disk_question q;
static struct disk_answer a;
static uint8_t bytes[DISK_MAX], scratch[DISK_MAX];
static bool own_mounts;

static int start(void)
{
	int ready[2], fd;
	char c;

	if (pipe2(ready, O_CLOEXEC) < 0)
		return -1;
	q.who.start_ns = (uint64_t)util_now_boottime();
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if ((own_mounts && unshare(CLONE_NEWNS) < 0) || chdir(dir) < 0 ||
		    write(ready[1], "x", 1) != 1)
			_exit(1);
		pause();
		_exit(0);
	}
	q.who.tgid = (uint32_t)pid;
	close(ready[1]);
	fd = read(ready[0], &c, 1) == 1 ? 0 : -1;
	close(ready[0]);
	return fd;
}

/* A server that stands in a directory with one file. */
static int set_up(void **state)
{
	char path[PATH_MAX];
	int fd;

	snprintf(dir, sizeof(dir), "/tmp/sandfault-held.XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/f", dir);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, "held", 4) != 4 || close(fd) < 0)
		return -1;
	q = (struct disk_question){ .paths[0] = "f", .n_paths = 1, .want = DISK_BYTES };
	return start();
}

static void end(void)
{
	if (pid > 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	pid = 0;
}

static int tear_down(void **state)
{
	char cmd[128];

	end();
	snprintf(cmd, sizeof(cmd), "rm -rf '%s'", dir);
	return system(cmd); /* NOLINT(bugprone-command-processor) */
}

static int look(void)
{
	return disk_look("/proc", &q, &a, bytes, scratch);
}

static void test_until_released(void **state)
{
	disk_held_change("/proc", &q.who, true);
	disk_held_change("/proc", &q.who, true); /* two calls */
	end();
	assert_int_equal(look(), 0);
	assert_int_equal(a.len, 4);
	assert_memory_equal(a.bytes, "held", 4);
	disk_held_change("/proc", &q.who, false);
	assert_int_equal(look(), 0);
	disk_held_change("/proc", &q.who, false);
	assert_int_equal(look(), -ESRCH);
	assert_int_equal(disk_held_expire(util_now_boottime()), -1);
}

static void test_not_for_long(void **state)
{
	disk_held_change("/proc", &q.who, true);
	end();
	assert_in_range(disk_held_expire(util_now_boottime()), 1, 1001);
	assert_int_equal(look(), 0);
	assert_int_equal(disk_held_expire(util_now_boottime() + NSEC_PER_SEC), -1);
	assert_int_equal(look(), -ESRCH);
}

/* A server with mounts of its own: a root that is held would keep them busy. */
static void test_no_sandbox(void **state)
{
	end();
	own_mounts = true;
	assert_int_equal(start(), 0);
	own_mounts = false;
	disk_held_change("/proc", &q.who, true);
	assert_int_equal(look(), 0);
	end();
	assert_int_equal(look(), -ESRCH);
	assert_int_equal(disk_held_expire(util_now_boottime()), -1);
}

/* Of that pid whoever has it now may be meant. */
static void test_without_a_start(void **state)
{
	q.who.start_ns = 0;
	disk_held_change("/proc", &q.who, true);
	end();
	assert_int_equal(look(), -ESRCH);
}

static int answered; /* 1: found; 2: not */

static void on_answer(int err, const struct disk_answer *found, void *arg)
{
	answered = err ? 2 : 1;
}

static bool is_answered(void *arg)
{
	return answered;
}

static int ask(struct disk *d, struct loop *l, uint32_t want)
{
	answered = 0;
	q.want = want;
	assert_int_equal(disk_ask(d, &q, on_answer, NULL), 0);
	assert_true(run_until(l, is_answered, NULL));
	return answered;
}

/* Both helpers hold it. */
static void test_helpers(void **state)
{
	struct loop *l;
	struct disk *d;

	assert_int_equal(loop_new(&l), 0);
	assert_int_equal(disk_new(&d, l, 10 * NSEC_PER_SEC), 0);
	disk_hold(d, &q.who);
	assert_int_equal(ask(d, l, DISK_BYTES), 1);
	assert_int_equal(ask(d, l, DISK_BYTES | DISK_SETTLED), 1);
	end();
	assert_int_equal(ask(d, l, DISK_BYTES), 1);
	assert_int_equal(ask(d, l, DISK_BYTES | DISK_SETTLED), 1);
	disk_release(d, &q.who);
	assert_int_equal(ask(d, l, DISK_BYTES), 2);
	assert_int_equal(ask(d, l, DISK_BYTES | DISK_SETTLED), 2);
	disk_free(d);
	loop_free(l);
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_until_released),  TEST(test_not_for_long), TEST(test_no_sandbox),
		TEST(test_without_a_start), TEST(test_helpers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
