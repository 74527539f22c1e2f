/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "until.h"

static bool reached(void *arg)
{
	return *(int *)arg > 0;
}

static void count(void *arg)
{
	(*(int *)arg)++;
}

static struct loop *new_loop(void)
{
	struct loop *l;

	assert_int_equal(loop_new(&l), 0);
	return l;
}

static void test_quit_value(void **state)
{
	struct loop *l = new_loop();

	loop_quit(l, 42); /* before it runs: leaves at once */
	assert_int_equal(loop_run(l), 42);
	loop_free(l);
	loop_free(NULL);
	loop_remove(NULL);
}

static bool three(void *arg)
{
	return *(int *)arg >= 3;
}

static void test_timer_periodic(void **state)
{
	struct loop *l = new_loop();
	struct loop_source *s;
	int64_t before = util_now_boottime();
	int n = 0;

	assert_int_equal(loop_add_timer(l, 20 * NSEC_PER_MSEC, 20 * NSEC_PER_MSEC, count, &n, &s),
			 0);
	assert_true(run_until(l, three, &n));
	assert_true(util_now_boottime() - before >= 60 * NSEC_PER_MSEC);
	loop_remove(s);
	loop_free(l);
}

static void test_timer_zero_is_at_once(void **state)
{
	struct loop *l = new_loop();
	int n = 0;

	/* Nobody holds it: it goes by itself. */
	assert_int_equal(loop_add_timer(l, 0, 0, count, &n, NULL), 0);
	assert_true(run_until(l, reached, &n));
	assert_int_equal(n, 1);
	loop_free(l);
}

static void test_timer_disarmed_and_rearmed(void **state)
{
	struct loop *l = new_loop();
	struct loop_source *never, *other;
	int n = 0, m = 0;

	assert_int_equal(loop_add_timer(l, -1, 0, count, &n, &never), 0);
	assert_int_equal(loop_add_timer(l, 30 * NSEC_PER_MSEC, 0, count, &m, &other), 0);
	assert_true(run_until(l, reached, &m));
	assert_int_equal(n, 0);
	assert_int_equal(loop_rearm_timer(never, 0, 0), 0);
	assert_true(run_until(l, reached, &n));
	assert_int_equal(n, 1);
	loop_remove(never);
	loop_remove(other);
	loop_free(l);
}

struct pair {
	struct loop *loop;
	int fds[2][2];
	struct loop_source *sources[2];
	int calls;
	bool narrow;
};

/* Both are readable, so both events come in one batch: whoever is first silences the other. */
static void on_either(int fd, uint32_t events, void *arg)
{
	struct pair *p = arg;
	int other = fd == p->fds[0][0] ? 1 : 0;

	p->calls++;
	if (p->narrow) {
		assert_int_equal(loop_modify_fd(p->sources[other], 0), 0);
		assert_int_equal(loop_modify_fd(p->sources[!other], 0), 0);
	} else {
		for (int i = 0; i < 2; i++) {
			loop_remove(p->sources[i]); /* its own too */
			close(p->fds[i][0]);
		}
	}
}

static void run_pair(bool narrow)
{
	struct pair p = { .loop = new_loop(), .narrow = narrow };
	int later = 0;

	for (int i = 0; i < 2; i++) {
		assert_int_equal(pipe2(p.fds[i], O_CLOEXEC), 0);
		assert_int_equal(write(p.fds[i][1], "x", 1), 1);
		assert_int_equal(
			loop_add_fd(p.loop, p.fds[i][0], EPOLLIN, on_either, &p, &p.sources[i]), 0);
	}
	assert_int_equal(loop_add_timer(p.loop, 50 * NSEC_PER_MSEC, 0, count, &later, NULL), 0);
	assert_true(run_until(p.loop, reached, &later));
	assert_int_equal(p.calls, 1);
	for (int i = 0; i < 2; i++)
		close(p.fds[i][1]);
	loop_free(p.loop);
	if (narrow) {
		close(p.fds[0][0]);
		close(p.fds[1][0]);
	}
}

static void test_remove_in_batch(void **state)
{
	run_pair(false);
}

static void test_narrow_in_batch(void **state)
{
	run_pair(true);
}

static void no_event(int fd, uint32_t events, void *arg)
{
	fail();
}

static void test_refuses_what_cannot_be_polled(void **state)
{
	struct loop *l = new_loop();
	struct loop_source *s = NULL;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(loop_add_fd(l, fd, EPOLLIN, no_event, NULL, &s), -EPERM);
	assert_null(s);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC); /* the fd stays the caller's */
	close(fd);
	loop_free(l);
}

struct heard {
	int signo;
	int times;
};

static void on_signal(int signo, void *arg)
{
	struct heard *h = arg;

	h->signo = signo;
	h->times++;
}

static bool heard(void *arg)
{
	return ((struct heard *)arg)->times > 0;
}

static void test_signals(void **state)
{
	struct loop *l = new_loop();
	struct heard usr1 = { 0 }, usr2 = { 0 };

	assert_int_equal(loop_add_signal(l, SIGUSR1, on_signal, &usr1), 0);
	assert_int_equal(loop_add_signal(l, SIGUSR2, on_signal, &usr2), 0);
	assert_int_equal(loop_add_signal(l, 0, on_signal, &usr2), -EINVAL);
	assert_int_equal(kill(getpid(), SIGUSR2), 0);
	assert_true(run_until(l, heard, &usr2));
	assert_int_equal(usr2.signo, SIGUSR2);
	assert_int_equal(usr2.times, 1);
	assert_int_equal(usr1.times, 0);
	assert_int_equal(kill(getpid(), SIGUSR1), 0);
	assert_true(run_until(l, heard, &usr1));
	assert_int_equal(usr1.signo, SIGUSR1);
	loop_free(l);
}

struct ended {
	pid_t pid;
	int status;
	int times;
};

static void on_child(pid_t pid, int status, void *arg)
{
	struct ended *e = arg;

	e->pid = pid;
	e->status = status;
	e->times++;
}

static bool ended(void *arg)
{
	return ((struct ended *)arg)->times > 0;
}

static pid_t child(int code, int sig)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (sig)
			raise(sig);
		_exit(code);
	}
	assert_true(pid > 0);
	return pid;
}

static void test_children(void **state)
{
	struct loop *l = new_loop();
	struct ended a = { 0 }, b = { 0 };
	struct loop_source *s;
	pid_t pid = child(7, 0), killed;

	assert_int_equal(loop_add_child(l, pid, on_child, &a, &s), 0);
	assert_true(run_until(l, ended, &a));
	assert_int_equal(a.pid, pid);
	assert_true(WIFEXITED(a.status));
	assert_int_equal(WEXITSTATUS(a.status), 7);
	assert_int_equal(waitpid(pid, NULL, WNOHANG), -1); /* reaped */
	loop_remove(s);
	killed = child(0, SIGKILL);
	assert_int_equal(loop_add_child(l, killed, on_child, &b, NULL), 0);
	assert_true(run_until(l, ended, &b));
	assert_true(WIFSIGNALED(b.status));
	assert_int_equal(WTERMSIG(b.status), SIGKILL);
	assert_int_equal(a.times, 1);
	assert_int_equal(b.times, 1);
	loop_free(l);
}

static void test_child_reaped_by_another(void **state)
{
	struct loop *l = new_loop();
	struct ended e = { 0 };
	pid_t pid = child(3, 0);

	assert_int_equal(loop_add_child(l, pid, on_child, &e, NULL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_true(run_until(l, ended, &e));
	assert_int_equal(e.status, -1);
	assert_int_equal(loop_add_child(l, pid, on_child, &e, NULL), -ESRCH);
	loop_free(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quit_value),
		cmocka_unit_test(test_timer_periodic),
		cmocka_unit_test(test_timer_zero_is_at_once),
		cmocka_unit_test(test_timer_disarmed_and_rearmed),
		cmocka_unit_test(test_remove_in_batch),
		cmocka_unit_test(test_narrow_in_batch),
		cmocka_unit_test(test_refuses_what_cannot_be_polled),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_children),
		cmocka_unit_test(test_child_reaped_by_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
