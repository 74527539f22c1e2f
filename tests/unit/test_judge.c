/* SPDX-License-Identifier: GPL-2.0-only */
/* Whole tasks as evidence, and the verdict that they must get. */
#include "scene.h"

static const struct syscall lock = { "openat", EROFS, "/w/.git/index.lock" };

/* The same refused call: whether it counts is told by the end of the process. */
static void test_outcome_over_errno(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "git", 1);

	fails(s, p, 5, &lock);
	ends(s, p, 9, EXITED(0), NULL);
	expect_none(s);
	assert_int_equal(s->out.handled, 1);
	ends(s, p, 9, EXITED(128),
	     "fatal: Unable to create '/w/.git/index.lock': Read-only file system\n");
	expect(s, CAUSE_READ_ONLY_MOUNT, "/w/.git/index.lock");
	assert_int_equal(s->out.failures[0].confidence, CONF_CERTAIN);
}

static void test_helper_that_its_parent_shrugs_off(void **state)
{
	struct scene *s = *state;
	struct process *sh = process(s, 10, 0, "sh", 1), *p = process(s, 11, 10, "touch", 2);

	fails(s, p, 3, &lock);
	ends(s, p, 4, EXITED(1), "touch: Read-only file system\n");
	ends(s, sh, 9, EXITED(0), NULL);
	expect_none(s);
}

static void test_own_fault_is_workload(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);

	fails(s, p, 5, &lock);
	ends(s, p, 2000, EXITED(1), "Traceback\nAssertionError: 1 != 2\n");
	expect(s, CAUSE_EXIT_NON_ZERO, "python3");
}

static void test_missing_file_is_workload(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);
	struct syscall c = { "openat", ENOENT, "/w/data.csv", "data.csv" };

	fails(s, p, 5, &lock);
	fails(s, p, 8, &c);
	ends(s, p, 900, EXITED(1),
	     "FileNotFoundError: [Errno 2] No such file or directory: 'data.csv'\n");
	expect(s, CAUSE_EXIT_MISSING_FILE, "/w/data.csv");
}

static void test_path_sweep_is_one_failure(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1), *c = process(s, 11, 10, "python3", 3);
	struct syscall a = { "execve", ENOENT, "/usr/bin/uvx" },
		       b = { "execve", ENOENT, "/bin/uvx" };

	c->execs = 0;
	c->exec_ns = 0;
	fails(s, c, 4, &a);
	fails(s, c, 4, &b);
	ends(s, c, 5, EXITED(255), NULL);
	ends(s, p, 9, EXITED(1), "FileNotFoundError: [Errno 2] No such file or directory: 'uvx'\n");
	expect(s, CAUSE_BINARY_NOT_FOUND, "uvx");
	assert_int_equal(s->out.failures[0].count, 2);
}

/* … and so is one that met a closed door in each place: told by the first. */
static void test_refused_sweep_is_one_failure(void **state)
{
	static const char *const places[] = { "/root/bin/tool", "/opt/a/tool", "/opt/b/tool" };
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "env", 1);
	struct syscall looked = { "access", EACCES, "/opt/b/tool", .cap_mask = 1 << 1 };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		struct syscall c = { "execve", EACCES, places[i], .cap_mask = 1 << 1 };

		fails(s, p, 4 + i, &c);
	}
	fails(s, p, 3, &looked); /* the same place, by another call: that is no other failure */
	ends(s, p, 9, EXITED(126), "env: 'tool': Permission denied\n");
	expect(s, CAUSE_FILE_PERMISSION_DENIED, "/root/bin/tool");
	assert_int_equal(s->out.n_failures, 1);
	assert_int_equal(s->out.failures[0].count, 4);
}

/* 403 is a policy's where somebody stands between, who was talked to in the server's place. */
static void test_proxy_that_refuses(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "curl", 1);
	struct syscall proxy = { "connect", EINPROGRESS, "192.0.2.7:3128",
				 .text_kind = SF_TEXT_SOCKADDR },
		       server = { "connect", EINPROGRESS, "192.0.2.9:80",
				  .text_kind = SF_TEXT_SOCKADDR };
	static const char argv[] = "curl\0-f\0http://example.test/x";

	assert_int_equal(text_set(&p->argv, argv, sizeof(argv)), 0);
	ends(s, p, 9, EXITED(22), "curl: (22) The requested URL returned error: 403\n");
	expect(s, CAUSE_EXIT_NON_ZERO, "curl");
	fails(s, p, 3, &proxy);
	expect(s, CAUSE_NETWORK_DENIED, "192.0.2.7:3128");
	fails(s, p, 4, &server);
	expect(s, CAUSE_EXIT_NON_ZERO, "curl");
}

static void test_sweep_that_finds_is_noise(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "env", 1);
	struct syscall a = { "execve", ENOENT, "/usr/local/bin/false" };

	fails(s, p, 2, &a);
	p->exec_ns = 3 * MS;
	p->execs = 2;
	ends(s, p, 9, EXITED(1), NULL);
	expect(s, CAUSE_EXIT_NON_ZERO, "env");
}

static void test_missing_cwd_before_exec(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "node", 1), *c = process(s, 11, 10, "node", 3);
	struct syscall a = { "chdir", ENOENT, "/w/worktrees/feature" };

	c->execs = 0;
	c->exec_ns = 0;
	fails(s, c, 4, &a);
	ends(s, c, 5, EXITED(127), NULL);
	ends(s, p, 9, EXITED(1), "Error: spawn sh ENOENT\n");
	expect(s, CAUSE_PATH_MISSING_CWD, "/w/worktrees/feature");
}

static void test_clone3_denied(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);
	struct syscall denied = { "clone3", EPERM, .entry = SF_DENIED };

	fails(s, p, 5, &denied);
	ends(s, p, 9, EXITED(1), "RuntimeError: can't start new thread\n");
	expect(s, CAUSE_SECCOMP_DENIED, "clone3");
}

static void test_clone3_falls_back(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);
	struct syscall denied = { "clone3", ENOSYS, .entry = SF_DENIED }, clone = { "clone", 0 };

	fails(s, p, 5, &denied);
	fails(s, p, 6, &clone);
	ends(s, p, 9, EXITED(0), NULL);
	expect_none(s);
	assert_int_equal(s->out.handled, 1);
	/* … and it stays cancelled where the program fails for a reason of its own. */
	ends(s, p, 9, EXITED(3), NULL);
	expect(s, CAUSE_EXIT_NON_ZERO, "python3");
}

/* No call fails: the socket's error is seen in a softirq, and is the process's that connected. */
static void test_resolver_that_nobody_listens_on(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);
	struct syscall connected = { "connect", 0, "127.0.0.53:53", .text_kind = SF_TEXT_SOCKADDR };
	static const uint8_t peer[16] = { 2, 0, 0, 53, 127, 0, 0, 53 };
	struct sf_ev_net e = { .hdr.ts = 4 * MS, .err = ECONNREFUSED, .addr_len = 16 };

	fails(s, p, 3, &connected);
	memcpy(e.addr, peer, sizeof(peer));
	s->t->nets.v = malloc(sizeof(e));
	assert_non_null(s->t->nets.v);
	s->t->nets.v[0] = e;
	s->t->nets.n = 1;
	s->t->nets.cap = 1;
	ends(s, p, 9, EXITED(1),
	     "socket.gaierror: [Errno -3] Temporary failure in name resolution\n");
	expect(s, CAUSE_NETWORK_DNS, "127.0.0.53:53");
}

static void test_lost_data_counts_with_exit_0(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);
	struct syscall full = { "write", ENOSPC, "/w/logs/run.log", .text_kind = SF_TEXT_FD };

	fails(s, p, 5, &full);
	ends(s, p, 9, EXITED(0), NULL);
	expect(s, CAUSE_DISK_FULL, "/w/logs/run.log");
	assert_int_equal(s->out.failures[0].disposition, DISP_CONTRIBUTING);
}

/* Who sets the limit to itself expects it; who got it with the exec does not. */
static void test_limit_of_ones_own(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);
	struct syscall sets = { "prlimit64", 0, .args = { 0, 1, 1 } },
		       big = { "write", EFBIG, "/w/big.bin", .text_kind = SF_TEXT_FD };

	fails(s, p, 3, &sets);
	fails(s, p, 5, &big);
	ends(s, p, 9, EXITED(0), NULL);
	expect_none(s);
	assert_int_equal(s->out.handled, 1);
	ends(s, p, 900, EXITED(1), "OSError: [Errno 27] File too large: 'big.bin'\n");
	expect(s, CAUSE_QUOTA_FILE_SIZE, "/w/big.bin");
	p->tail.len = 0;
	ends(s, p, 9, SIGXFSZ, NULL);
	expect(s, CAUSE_QUOTA_FILE_SIZE, "/w/big.bin");
	p->exec_ns = 4 * MS;
	ends(s, p, 900, EXITED(0), NULL);
	expect(s, CAUSE_QUOTA_FILE_SIZE, "/w/big.bin");
}

static void test_launcher_setup_is_silent(void **state)
{
	struct scene *s = *state;
	struct process *b = process(s, 10, 0, "bwrap", 1), *p = process(s, 11, 10, "tool", 5);
	struct syscall refused = { "mount", EPERM, "/newroot/x", .cap_mask = 1 << 21 };

	fails(s, b, 3, &refused);
	ends(s, p, 8, EXITED(1), "tool: bad input\n");
	ends(s, b, 9, EXITED(1), NULL);
	expect(s, CAUSE_EXIT_NON_ZERO, "tool");
}

static void test_limit_is_told_once_by_its_first_call(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);
	struct sf_limits l = { .valid = SF_LIM_PIDS, .pids_count = 10, .pids_limit = 10 };
	struct syscall a = { "vfork", EAGAIN, .limits = l }, b = { "clone", EAGAIN, .limits = l };

	fails(s, p, 6, &b);
	fails(s, p, 5, &a);
	ends(s, p, 9, EXITED(1), "BlockingIOError: [Errno 11] Resource temporarily unavailable\n");
	expect(s, CAUSE_PIDS_CGROUP_LIMIT, "vfork");
	assert_int_equal(s->out.n_failures, 1);
}

static void test_module(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);

	ends(s, p, 9, EXITED(1), "ModuleNotFoundError: No module named 'pandas'\n");
	expect(s, CAUSE_LIBRARY_MODULE, "pandas");
}

/* The last exception wins, and speaks for the look-up that it is about. */
static void test_last_words_speak_for_a_call(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);
	struct syscall zone = { "openat", ENOENT, "/usr/share/zoneinfo/Europe/Berlin" };

	fails(s, p, 3, &zone);
	ends(s, p, 9, EXITED(1),
	     "ModuleNotFoundError: No module named 'tzdata'\n\n"
	     "zoneinfo._common.ZoneInfoNotFoundError: 'No time zone found with key "
	     "Europe/Berlin'\n");
	expect(s, CAUSE_IMAGE_DATA_MISSING, "/usr/share/zoneinfo/Europe/Berlin");
}

/* What was tolerated earlier does not tell the task's status: the last failing child does. */
static void test_tolerated_then_own_fault(void **state)
{
	struct scene *s = *state;
	struct process *sh = process(s, 10, 0, "sh", 1), *cat = process(s, 11, 10, "cat", 2),
		       *py = process(s, 12, 10, "python3", 5);

	fails(s, cat, 3, &lock);
	ends(s, cat, 4, EXITED(1), "cat: /w/.git/index.lock: Read-only file system\n");
	ends(s, py, 8, EXITED(1), "boom\n");
	ends(s, sh, 9, EXITED(1), NULL);
	expect(s, CAUSE_EXIT_NON_ZERO, "python3");
}

static void test_ephemeral(void **state)
{
	struct scene *s = *state;
	struct process *sh = process(s, 10, 0, "sh", 1), *a = process(s, 11, 10, "python3", 2),
		       *b = process(s, 12, 10, "python3", 20);
	struct syscall made = { "openat", 0, "/tmp/deps/settings.json" },
		       lost = { "openat", ENOENT, "/tmp/deps/settings.json" };

	fails(s, a, 3, &made);
	ends(s, a, 9, EXITED(0), NULL);
	fails(s, b, 22, &lost);
	ends(s, b, 25, EXITED(1), "No such file or directory: '/tmp/deps/settings.json'\n");
	ends(s, sh, 26, EXITED(1), NULL);
	expect(s, CAUSE_EPHEMERAL_LOST_FILE, "/tmp/deps/settings.json");
}

/* dpkg(1) as nobody: its configuration can't be read, which it takes for a warning. */
static void test_a_warning_before_an_error(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "dpkg", 1);
	static const struct syscall config = { "openat", EROFS, "/home/u/.dpkg.cfg" };

	fails(s, p, 8, &config);
	ends(s, p, 9, EXITED(2),
	     "dpkg: warning: failed to open '/home/u/.dpkg.cfg': Read-only file system\n"
	     "dpkg: error: requested operation requires superuser privilege\n");
	expect(s, CAUSE_EXIT_NON_ZERO, "dpkg");
}

static void test_a_warning_alone(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "dpkg", 1);
	static const struct syscall config = { "openat", EROFS, "/home/u/.dpkg.cfg" };

	fails(s, p, 8, &config);
	ends(s, p, 9, EXITED(2),
	     "dpkg: warning: failed to open '/home/u/.dpkg.cfg': Read-only file system\n");
	expect(s, CAUSE_READ_ONLY_MOUNT, "/home/u/.dpkg.cfg");
}

static void test_other_address_answers(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "curl", 1);
	struct syscall six = { "connect", ENETUNREACH, "[2001:db8::1]:443",
			       .text_kind = SF_TEXT_SOCKADDR },
		       four = { "connect", 0, "192.0.2.7:443", .text_kind = SF_TEXT_SOCKADDR };

	fails(s, p, 3, &six);
	fails(s, p, 4, &four);
	ends(s, p, 9, EXITED(22), NULL);
	expect(s, CAUSE_EXIT_NON_ZERO, "curl");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_outcome_over_errno),
		T(test_helper_that_its_parent_shrugs_off),
		T(test_own_fault_is_workload),
		T(test_missing_file_is_workload),
		T(test_path_sweep_is_one_failure),
		T(test_refused_sweep_is_one_failure),
		T(test_proxy_that_refuses),
		T(test_sweep_that_finds_is_noise),
		T(test_missing_cwd_before_exec),
		T(test_clone3_denied),
		T(test_clone3_falls_back),
		T(test_resolver_that_nobody_listens_on),
		T(test_lost_data_counts_with_exit_0),
		T(test_limit_of_ones_own),
		T(test_launcher_setup_is_silent),
		T(test_limit_is_told_once_by_its_first_call),
		T(test_module),
		T(test_last_words_speak_for_a_call),
		T(test_tolerated_then_own_fault),
		T(test_ephemeral),
		T(test_other_address_answers),
		T(test_a_warning_before_an_error),
		T(test_a_warning_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
