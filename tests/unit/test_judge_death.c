/* SPDX-License-Identifier: GPL-2.0-only */
/* Deaths: who or what ended a process, and whether the task is to answer for it. */
#include "scene.h"

static const struct syscall lock = { "openat", EROFS, "/w/.git/index.lock" };

static void test_oom_counts_where_the_task_ends_well(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1), *c = process(s, 11, 10, "python3", 2);

	oom(s, c, 5);
	ends(s, c, 6, SIGKILL, NULL);
	ends(s, p, 9, EXITED(0), NULL);
	expect(s, CAUSE_MEMORY_OOM_CGROUP, "/pods/box");
	assert_int_equal(s->out.failures[0].disposition, DISP_FATAL);
}

static void test_137_needs_provenance(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);

	signal_from(s, p, SIGKILL, 0, "harness", 99, 8, 0);
	ends(s, p, 9, SIGKILL, NULL);
	expect(s, CAUSE_DEADLINE_KILLED, "harness");
}

static void test_sigsys_that_somebody_sent(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);

	signal_from(s, p, SIGSYS, 0, "harness", 99, 8, 0);
	ends(s, p, 9, SIGSYS, NULL);
	expect(s, CAUSE_DEADLINE_KILLED, "harness");
}

static void test_teardown_of_a_helper_is_noise(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "bwrap", 1), *c = process(s, 11, 10, "bwrap", 2);

	signal_from(s, c, SIGKILL, 0, "bwrap", 10, 8, 0);
	ends(s, c, 9, SIGKILL, NULL);
	ends(s, p, 10, EXITED(0), NULL);
	expect_none(s);
}

/* Clearing up after a failure is its echo, even where the helper's death looks like a reason. */
static void test_teardown_after_a_failure_is_an_echo(void **state)
{
	struct scene *s = *state;
	struct process *b = process(s, 10, 0, "bwrap", 1), *i = process(s, 11, 10, "bwrap", 2),
		       *p = process(s, 12, 11, "tool", 3);

	ends(s, p, 7, EXITED(1), "tool: bad input\n");
	signal_from(s, i, SIGKILL, 0, "bwrap", 10, 8, 0);
	s->t->signals.v[0].sender_instance = 7;
	ends(s, i, 9, SIGKILL, NULL);
	ends(s, b, 10, EXITED(1), NULL);
	expect(s, CAUSE_EXIT_NON_ZERO, "tool");
}

static void test_sigbus_within_the_file_is_no_room(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);
	struct sf_ev_signal *e;

	signal_from(s, p, SIGBUS, 2, "python3", 10, 8, 0);
	e = &s->t->signals.v[0];
	e->map_magic = 0x01021994; /* tmpfs */
	e->map_size = 8 << 20;
	e->map_offset = 1 << 20;
	snprintf(e->map_path, sizeof(e->map_path), "/dev/shm/batch-0");
	ends(s, p, 9, SIGBUS, NULL);
	expect(s, CAUSE_DISK_SHM_FULL, "/dev/shm/batch-0");
	/* beyond the end of the file: it was truncated under the mapping */
	e->map_size = 4096;
	expect(s, CAUSE_CRASH_SIGNAL, "python3");
}

static void test_sigsys_kill_and_trap(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "node", 1);

	signal_from(s, p, SIGSYS, 1, "node", 10, 8, 1);
	ends(s, p, 9, SIGSYS, NULL);
	expect(s, CAUSE_SECCOMP_KILLED, "io_uring_setup");
	s->t->signals.v[0].forced = 0;
	expect(s, CAUSE_SECCOMP_TRAPPED, "io_uring_setup");
}

/* Older kernels raise no signal: the thread that did it is on record, another's is not taken. */
static void test_silent_sigsys(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "node", 1);
	struct sf_ev_thread e = { .hdr.ts = 8 * MS,
				  .code = SIGSYS,
				  .nr = names_syscall_nr("io_uring_setup"),
				  .actor = { .tgid = 10, .start_ns = p->key.start_ns } };

	s->t->threads.v = calloc(1, sizeof(e));
	assert_non_null(s->t->threads.v);
	s->t->threads.v[0] = e;
	s->t->threads.n = s->t->threads.cap = 1;
	ends(s, p, 9, SIGSYS, NULL);
	expect(s, CAUSE_SECCOMP_KILLED, "io_uring_setup");
	s->t->threads.v[0].actor.start_ns++;
	expect(s, CAUSE_SECCOMP_KILLED, "unknown syscall");
}

static void test_denial_then_silence_then_kill(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);
	struct syscall denied = { "sendto", EPERM, .entry = SF_DENIED };
	struct signature *sig = fails(s, p, 5, &denied);

	p->n_last = 1;
	p->last[0].err = EPERM;
	p->last[0].hash = sig->key.hash;
	signal_from(s, p, SIGKILL, 0, "timeout", 99, 9000, 0);
	ends(s, p, 9001, SIGKILL, NULL);
	expect(s, CAUSE_SECCOMP_DENIED, "sendto");
}

/* A crash belongs to the refused primitive before it, whatever the crash report names. */
static void test_abort_after_a_refusal(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "node", 1);
	struct syscall refused = { "mprotect", EACCES, .state = SF_ST_MDWE };

	fails(s, p, 8, &refused);
	ends(s, p, 9, SIGTRAP, "21: 0x195e476 [node]\n");
	expect(s, CAUSE_EXEC_MEMORY_DENIED, "mprotect");
}

static void test_running_task_reports_only_what_is_sure(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "sh", 1), *c = process(s, 11, 10, "python3", 2);
	struct judge_context ctx = { .final = false, .now_ns = 50 * MS };

	fails(s, p, 5, &lock);
	assert_int_equal(judge_task(s->t, &ctx, &s->out), 0);
	assert_int_equal(s->out.verdict_fingerprint, 0);
	task_record_clear(&s->out);
	oom(s, c, 6);
	ends(s, c, 7, SIGKILL, NULL);
	assert_int_equal(judge_task(s->t, &ctx, &s->out), 0);
	assert_true(s->out.verdict_fingerprint != 0);
	assert_true(s->out.provisional);
}

/* node catches SIGTERM, clears up, and raises it again on itself. */
static void test_raised_again_on_itself(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "node", 1);

	signal_from(s, p, SIGTERM, 0, "harness", 99, 7, 0);
	signal_from(s, p, SIGTERM, 0, "node", 10, 8, 0);
	ends(s, p, 9, SIGTERM, NULL);
	expect(s, CAUSE_DEADLINE_KILLED, "harness");
}

/* A browser looks whether there is a route, and lives on without: its time limit is no echo of that. */
static void test_probe_then_kill(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "chromium", 1);
	struct syscall probe = { "connect", ENETUNREACH, "[2001:db8::8]:443",
				 .text_kind = SF_TEXT_SOCKADDR };
	struct signature *sig = fails(s, p, 8990, &probe);

	p->n_last = 1;
	p->last[0].err = ENETUNREACH;
	p->last[0].hash = sig->key.hash;
	signal_from(s, p, SIGKILL, 0, "harness", 99, 9000, 0);
	ends(s, p, 9001, SIGKILL, NULL);
	expect(s, CAUSE_DEADLINE_KILLED, "harness");
}

/* It told of what it then lived without for seconds; of what it tried last until the end it is the echo. */
static void test_told_then_kill(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "chromium", 1);
	struct syscall bus = { "connect", ENOENT, "/run/dbus/system_bus_socket",
			       .text_kind = SF_TEXT_SOCKADDR };
	struct signature *sig = fails(s, p, 900, &bus);

	p->n_last = 2;
	p->last[0].err = p->last[1].err = ENOTTY;
	signal_from(s, p, SIGKILL, 0, "harness", 99, 9000, 0);
	ends(s, p, 9001, SIGKILL,
	     "Failed to connect to socket /run/dbus/system_bus_socket: No such file or "
	     "directory\n");
	expect(s, CAUSE_DEADLINE_KILLED, "harness");
	p->last[1].err = ENOENT;
	p->last[1].nr = sig->key.nr;
	p->last[1].hash = sig->key.hash;
	expect(s, CAUSE_NETWORK_SOCKET_ABSENT, "/run/dbus/system_bus_socket");
}

/* The shell looked for a name's owner before it became the program that was refused the same. */
static void test_same_call_before_an_exec(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "probe", 4);
	struct syscall denied = { "socket", EPERM, .entry = SF_DENIED };
	struct signature *sig = fails(s, p, 2, &denied);

	snprintf(sig->comm, sizeof(sig->comm), "bash");
	sig->last_ns = 5 * MS;
	ends(s, p, 6, EXITED(1), "socket: Operation not permitted\n");
	assert_memory_equal(judge(s)->comm.data, "probe", 5);
}

/* The launcher has told its payload's status and left; its init has not died yet. */
static void test_init_outlives_its_launcher(void **state)
{
	struct scene *s = *state;
	struct process *b = process(s, 10, 0, "bwrap", 1), *p = process(s, 12, 11, "git", 3);

	process(s, 11, 10, "bwrap", 2);
	fails(s, p, 6, &lock);
	ends(s, p, 7, EXITED(1), "error: Read-only file system\n");
	ends(s, b, 8, EXITED(1), NULL);
	expect(s, CAUSE_READ_ONLY_MOUNT, "/w/.git/index.lock");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_oom_counts_where_the_task_ends_well),
		T(test_told_then_kill),
		T(test_same_call_before_an_exec),
		T(test_137_needs_provenance),
		T(test_sigsys_that_somebody_sent),
		T(test_init_outlives_its_launcher),
		T(test_probe_then_kill),
		T(test_raised_again_on_itself),
		T(test_teardown_of_a_helper_is_noise),
		T(test_teardown_after_a_failure_is_an_echo),
		T(test_sigbus_within_the_file_is_no_room),
		T(test_sigsys_kill_and_trap),
		T(test_silent_sigsys),
		T(test_denial_then_silence_then_kill),
		T(test_abort_after_a_refusal),
		T(test_running_task_reports_only_what_is_sure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
