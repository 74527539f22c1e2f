/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "log.h"
#include "sink.h"
#include "until.h"

#define S NSEC_PER_SEC

static char dir[64];
static int saved_stderr, memory;

static int set_up(void **state)
{
	strcpy(dir, "/tmp/sandfault-sink-XXXXXX");
	assert_non_null(mkdtemp(dir));
	log_setup("test", LOG_LEVEL_INFO);
	return 0;
}

static int tear_down(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command);
}

static const char *in_dir(const char *name)
{
	static char path[4][128];
	static int i;

	i = (i + 1) % 4;
	snprintf(path[i], sizeof(path[i]), "%s/%s", dir, name);
	return path[i];
}

static const char *script(const char *name, const char *body)
{
	const char *path = in_dir(name);
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	fprintf(f, "#!/bin/sh\ncd %s\n%s\n", dir, body);
	fclose(f);
	assert_int_equal(chmod(path, 0755), 0);
	return path;
}

static const char *content(const char *name)
{
	static char buf[65536];
	_cleanup_close_ int fd = open(in_dir(name), O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, buf, sizeof(buf) - 1);

	buf[n > 0 ? n : 0] = '\0';
	return buf;
}

static void capture(void)
{
	memory = memfd_create("stderr", MFD_CLOEXEC);
	saved_stderr = dup(STDERR_FILENO);
	assert_int_equal(dup2(memory, STDERR_FILENO), STDERR_FILENO);
}

static const char *captured(void)
{
	static char buf[262144];
	ssize_t n = pread(memory, buf, sizeof(buf) - 1, 0);

	buf[n > 0 ? n : 0] = '\0';
	dup2(saved_stderr, STDERR_FILENO);
	close(saved_stderr);
	close(memory);
	return buf;
}

/* No child is left, neither running nor dead. */
static bool no_children(void *arg)
{
	return waitid(P_ALL, 0, &(siginfo_t){ 0 }, WEXITED | WNOHANG | WNOWAIT) < 0 &&
	       errno == ECHILD;
}

static bool file_is_there(void *arg)
{
	return access(in_dir(arg), F_OK) == 0;
}

struct rig {
	struct loop *loop;
	struct sink *sink;
};

static void new_rig(struct rig *r, const char *command, int64_t timeout)
{
	assert_int_equal(loop_new(&r->loop), 0);
	assert_int_equal(sink_new(&r->sink, r->loop, command, timeout), 0);
}

static void end_rig(struct rig *r)
{
	sink_free(r->sink);
	assert_true(no_children(NULL));
	loop_free(r->loop);
}

static void test_json_on_stdin(void **state)
{
	int inherited = dup(STDERR_FILENO); /* without FD_CLOEXEC */
	struct rig r;
	const char *said;

	new_rig(&r,
		script("good", "cat >got; env | sort >env; pwd; ls /proc/self/fd | wc -l; "
			       "echo two >&2"),
		10 * S);
	capture();
	assert_int_equal(sink_send(r.sink, "{\"firing\":true}"), 0);
	assert_true(run_until(r.loop, no_children, NULL));
	said = captured();
	close(inherited);
	assert_string_equal(content("got"), "{\"firing\":true}");
	/* PWD is the shell's own. */
	assert_non_null(strstr(content("env"), "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:"
					       "/usr/bin:/sbin:/bin\n"));
	assert_null(strstr(content("env"), "HOME="));
	assert_non_null(strstr(said, "/good: two\n"));
	/* 0, 1, 2 and the directory itself. */
	assert_non_null(strstr(said, "/good: 4\n"));
	assert_int_equal(sink_failed(r.sink), 0);
	end_rig(&r);
}

static void test_large_json_that_nobody_reads(void **state)
{
	size_t len = 4 * 1024 * 1024;
	_cleanup_free_ char *json = malloc(len + 1);
	struct rig r;

	assert_non_null(json);
	memset(json, 'x', len);
	json[len] = '\0';
	new_rig(&r, "/bin/true", 10 * S);
	assert_int_equal(sink_send(r.sink, json), 0);
	assert_true(run_until(r.loop, no_children, NULL));
	assert_int_equal(sink_failed(r.sink), 0);
	sink_set(r.sink, script("count", "wc -c >count.n"), 10 * S);
	assert_int_equal(sink_send(r.sink, json), 0);
	assert_true(run_until(r.loop, no_children, NULL));
	assert_string_equal(content("count.n"), "4194304\n");
	end_rig(&r);
}

static void test_exit_status(void **state)
{
	struct rig r;
	const char *said;

	new_rig(&r, script("one", "exit 1"), 10 * S);
	capture();
	assert_int_equal(sink_send(r.sink, "{}"), 0);
	assert_true(run_until(r.loop, no_children, NULL));
	said = captured();
	assert_int_equal(sink_failed(r.sink), 1);
	assert_non_null(strstr(said, "/one exited with 1\n"));
	sink_set(r.sink, script("signal", "kill -SEGV $$"), 10 * S);
	capture();
	assert_int_equal(sink_send(r.sink, "{}"), 0);
	assert_true(run_until(r.loop, no_children, NULL));
	said = captured();
	assert_int_equal(sink_failed(r.sink), 2);
	assert_non_null(strstr(said, "/signal died by signal 11\n"));
	end_rig(&r);
}

static void test_command_that_is_not_there(void **state)
{
	struct rig r;
	const char *said;

	new_rig(&r, in_dir("absent"), 10 * S);
	capture();
	assert_int_equal(sink_send(r.sink, "{}"), 0);
	assert_true(run_until(r.loop, no_children, NULL));
	said = captured();
	assert_non_null(strstr(said, "/absent: cannot execute: No such file or directory\n"));
	assert_non_null(strstr(said, "/absent exited with 127\n"));
	assert_int_equal(sink_failed(r.sink), 1);
	end_rig(&r);
}

static void test_off(void **state)
{
	struct rig r;

	new_rig(&r, NULL, 10 * S);
	assert_int_equal(sink_send(r.sink, "{}"), -ENOENT);
	sink_set(r.sink, "/bin/true", S);
	assert_int_equal(sink_send(r.sink, "{}"), 0);
	sink_set(r.sink, NULL, S);
	assert_int_equal(sink_send(r.sink, "{}"), -ENOENT);
	assert_true(run_until(r.loop, no_children, NULL));
	end_rig(&r);
	sink_free(NULL);
}

static bool pid_gone(void *arg)
{
	int pid = atoi(content(arg));

	return pid > 0 && kill(pid, 0) < 0 && errno == ESRCH;
}

static void test_hangs(void **state)
{
	int64_t before = util_now_boottime();
	struct rig r;
	const char *said;

	/* Its own child, in its group, goes with it. */
	new_rig(&r,
		script("hang",
		       "trap 'touch termed; exit 1' TERM; sleep 1000 & echo $! >hang.pid; wait"),
		S / 2);
	capture();
	assert_int_equal(sink_send(r.sink, "{}"), 0);
	assert_true(run_until(r.loop, no_children, NULL));
	said = captured();
	assert_true(util_now_boottime() - before >= S / 2);
	assert_true(file_is_there("termed")); /* it could still do something */
	assert_non_null(strstr(said, "/hang took too long and was killed\n"));
	assert_int_equal(sink_failed(r.sink), 1);
	assert_true(run_until(r.loop, pid_gone, "hang.pid"));
	end_rig(&r);
}

static void test_hangs_and_ignores_sigterm(void **state)
{
	int64_t before = util_now_boottime();
	struct rig r;
	const char *said;

	new_rig(&r,
		script("deaf", "trap '' TERM; sleep 1000 & echo $! >deaf.pid; "
			       "while :; do wait; done"),
		S / 2);
	capture();
	assert_int_equal(sink_send(r.sink, "{}"), 0);
	assert_true(run_until(r.loop, no_children, NULL));
	said = captured();
	assert_true(util_now_boottime() - before >= 2 * S + S / 2);
	assert_non_null(strstr(said, "/deaf took too long and was killed\n"));
	assert_int_equal(sink_failed(r.sink), 1);
	assert_true(run_until(r.loop, pid_gone, "deaf.pid"));
	end_rig(&r);
}

static size_t count_lines(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += *s == '\n';
	return n;
}

static void test_floods(void **state)
{
	struct rig r;
	const char *said;

	new_rig(&r, script("flood", "yes"), 20 * S);
	capture();
	assert_int_equal(sink_send(r.sink, "{}"), 0);
	assert_true(run_until(r.loop, no_children, NULL));
	said = captured();
	assert_int_equal(sink_failed(r.sink), 1);
	assert_non_null(strstr(said, "/flood: further output is not logged\n"));
	assert_non_null(strstr(said, "/flood wrote more than 1 MiB and was killed\n"));
	assert_int_equal(count_lines(said), 50 + 2);
	end_rig(&r);
}

static void test_hostile_output(void **state)
{
	struct rig r;
	const char *said;

	new_rig(&r, script("binary", "head -c 2000 /dev/zero; printf 'a\\033[2J\\0b\\377'"),
		10 * S);
	capture();
	assert_int_equal(sink_send(r.sink, "{}"), 0);
	assert_true(run_until(r.loop, no_children, NULL));
	said = captured();
	assert_null(strchr(said, '\x1b'));
	assert_non_null(strstr(said, "a\\x1b[2J b\\xff\n")); /* the last line has no newline */
	assert_int_equal(count_lines(said), 4); /* 2006 bytes in lines of at most 512 */
	end_rig(&r);
}

/* One that leaves a child behind with the pipe open ends all the same. */
static void test_leaves_a_child_behind(void **state)
{
	struct rig r;
	int pid;

	new_rig(&r, script("daemonise", "sleep 1000 & echo $! >left.pid; exit 0"), 10 * S);
	assert_int_equal(sink_send(r.sink, "{}"), 0);
	assert_true(run_until(r.loop, no_children, NULL));
	assert_int_equal(sink_failed(r.sink), 0);
	pid = atoi(content("left.pid"));
	assert_int_equal(kill(pid, 0), 0); /* its own affair */
	assert_int_equal(kill(pid, SIGKILL), 0);
	end_rig(&r);
}

static void test_queue_is_bounded(void **state)
{
	struct rig r;
	const char *said;
	int i;

	new_rig(&r, script("wait", "echo x >>ran; while [ ! -e go ]; do sleep 0.01; done"), 20 * S);
	capture();
	for (i = 0; i < 4 + 16; i++)
		assert_int_equal(sink_send(r.sink, "{}"), 0);
	for (; i < 23; i++)
		assert_int_equal(sink_send(r.sink, "{}"), -EBUSY);
	said = captured();
	assert_int_equal(count_lines(said), 3);
	assert_int_equal(sink_dropped(r.sink), 3);
	fclose(fopen(in_dir("go"), "we"));
	assert_true(run_until(r.loop, no_children, NULL));
	assert_int_equal(strlen(content("ran")), 20 * 2);
	assert_int_equal(sink_failed(r.sink), 0);
	end_rig(&r);
}

static void test_free_kills(void **state)
{
	struct rig r;

	new_rig(&r,
		script("forever", "trap '' TERM; echo $$ >forever.pid; touch up; "
				  "while :; do sleep 1; done"),
		1000 * S);
	assert_int_equal(sink_send(r.sink, "{}"), 0);
	assert_true(run_until(r.loop, file_is_there, "up"));
	end_rig(&r);
	assert_true(pid_gone("forever.pid"));
}

/* A daemon whose own stdio is closed: the pipes get the numbers 0 to 2. */
static void test_closed_stdio(void **state)
{
	struct rig r;
	int fds[3], sent;
	uint64_t failed;
	bool ended;

	for (int i = 0; i < 3; i++) {
		fds[i] = fcntl(i, F_DUPFD_CLOEXEC, 10);
		close(i);
	}
	new_rig(&r, script("stdio", "cat >stdio.got && echo out && echo err >&2"), 10 * S);
	sent = sink_send(r.sink, "{\"x\":1}");
	ended = run_until(r.loop, no_children, NULL);
	failed = sink_failed(r.sink);
	sink_free(r.sink);
	loop_free(r.loop);
	for (int i = 0; i < 3; i++) {
		dup2(fds[i], i);
		close(fds[i]);
	}
	assert_string_equal(content("stdio.got"), "{\"x\":1}");
	assert_int_equal(sent, 0);
	assert_true(ended);
	assert_int_equal(failed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json_on_stdin),
		cmocka_unit_test(test_large_json_that_nobody_reads),
		cmocka_unit_test(test_exit_status),
		cmocka_unit_test(test_command_that_is_not_there),
		cmocka_unit_test(test_off),
		cmocka_unit_test(test_hangs),
		cmocka_unit_test(test_hangs_and_ignores_sigterm),
		cmocka_unit_test(test_floods),
		cmocka_unit_test(test_hostile_output),
		cmocka_unit_test(test_leaves_a_child_behind),
		cmocka_unit_test(test_queue_is_bounded),
		cmocka_unit_test(test_free_kills),
		cmocka_unit_test(test_closed_stdio),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
