/* SPDX-License-Identifier: GPL-2.0-only */
/* Whole tasks as evidence, and the verdict that they must get. */
#include "evidence.h"

#include <errno.h>
#include <signal.h>

#include "judge.h"

#define MS	     1000000ULL
#define EXITED(code) ((code) << 8)

struct scene {
	struct task *t;
	struct task_record out;
	uint64_t hash;
};

static int scene_new(void **state)
{
	struct scene *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	s->t = task_new(7);
	assert_non_null(s->t);
	*state = s;
	return 0;
}

static int scene_free(void **state)
{
	struct scene *s = *state;

	task_record_clear(&s->out);
	task_free(s->t);
	free(s);
	return 0;
}

/* A process that began at `from` ms; parent 0: the root. */
static struct process *process(struct scene *s, uint32_t pid, uint32_t parent, const char *comm,
			       uint64_t from)
{
	struct process *p = task_add_process(s->t, pid, pid);

	assert_non_null(p);
	snprintf(p->comm, sizeof(p->comm), "%s", comm);
	p->parent.tgid = parent;
	p->parent.start_ns = parent;
	p->root = parent == 0;
	p->seen_ns = from * MS;
	p->exec_ns = from * MS;
	p->execs = 1;
	return p;
}

static void ends(struct scene *s, struct process *p, uint64_t at, int status, const char *said)
{
	p->exited = true;
	p->exit_ns = at * MS;
	p->status = status;
	if (said)
		assert_int_equal(text_set(&p->tail, said, strlen(said)), 0);
	if (p->root)
		s->t->rec.outcome = !status	      ? OUTCOME_OK
				    : (status & 0x7f) ? OUTCOME_KILLED
						      : OUTCOME_FAILED;
}

static struct signature *fails(struct scene *s, const struct process *p, uint64_t at,
			       const struct call *c)
{
	struct sf_key key = { .instance = 7,
			      .tgid = p->key.tgid,
			      .start_ns = p->key.start_ns,
			      .hash = ++s->hash,
			      .err = (int16_t)c->err,
			      .entry = (uint8_t)c->entry };
	struct signature *sig = task_add_signature(s->t, &key);

	assert_non_null(sig);
	evidence_call(sig, c);
	sig->key = key;
	snprintf(sig->comm, sizeof(sig->comm), "%s", p->comm);
	sig->count = 1;
	sig->first_ns = at * MS;
	sig->last_ns = at * MS;
	s->t->failed += c->err != 0;
	return sig;
}

static const struct failure_record *judge(struct scene *s)
{
	struct judge_context c = { .final = true, .now_ns = 100000 * MS };

	task_record_clear(&s->out);
	assert_int_equal(judge_task(s->t, &c, &s->out), 0);
	for (size_t i = 0; i < s->out.n_failures; i++)
		if (s->out.failures[i].fingerprint == s->out.verdict_fingerprint)
			return &s->out.failures[i];
	return NULL;
}

static void expect(struct scene *s, enum cause cause, const char *subject)
{
	const struct failure_record *f = judge(s);

	if (!f)
		fail_msg("no verdict, expected %s/%s", taxonomy_get(cause)->primitive,
			 taxonomy_get(cause)->cause);
	if (f->cause != cause)
		fail_msg("verdict %s/%s (%s), expected %s/%s", taxonomy_get(f->cause)->primitive,
			 taxonomy_get(f->cause)->cause, f->subject.data,
			 taxonomy_get(cause)->primitive, taxonomy_get(cause)->cause);
	assert_string_equal(f->subject.data, subject);
}

static void expect_none(struct scene *s)
{
	const struct failure_record *f = judge(s);

	if (f)
		fail_msg("verdict %s/%s (%s), expected none", taxonomy_get(f->cause)->primitive,
			 taxonomy_get(f->cause)->cause, f->subject.data);
}

static const struct call lock = { "openat", EROFS, "/w/.git/index.lock" };

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
	struct call c = { "openat", ENOENT, "/w/data.csv", "data.csv" };

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
	struct call a = { "execve", ENOENT, "/usr/bin/uvx" }, b = { "execve", ENOENT, "/bin/uvx" };

	c->execs = 0;
	c->exec_ns = 0;
	fails(s, c, 4, &a);
	fails(s, c, 4, &b);
	ends(s, c, 5, EXITED(255), NULL);
	ends(s, p, 9, EXITED(1), "FileNotFoundError: [Errno 2] No such file or directory: 'uvx'\n");
	expect(s, CAUSE_BINARY_NOT_FOUND, "uvx");
	assert_int_equal(s->out.failures[0].count, 2);
}

static void test_sweep_that_finds_is_noise(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "env", 1);
	struct call a = { "execve", ENOENT, "/usr/local/bin/false" };

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
	struct call a = { "chdir", ENOENT, "/w/worktrees/feature" };

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
	struct call denied = { "clone3", EPERM, .entry = SF_DENIED };

	fails(s, p, 5, &denied);
	ends(s, p, 9, EXITED(1), "RuntimeError: can't start new thread\n");
	expect(s, CAUSE_SECCOMP_DENIED, "clone3");
}

static void test_clone3_falls_back(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);
	struct call denied = { "clone3", ENOSYS, .entry = SF_DENIED }, clone = { "clone", 0 };

	fails(s, p, 5, &denied);
	fails(s, p, 6, &clone);
	ends(s, p, 9, EXITED(0), NULL);
	expect_none(s);
	assert_int_equal(s->out.handled, 1);
	/* … and it stays cancelled where the program fails for a reason of its own. */
	ends(s, p, 9, EXITED(3), NULL);
	expect(s, CAUSE_EXIT_NON_ZERO, "python3");
}

static void oom(struct scene *s, const struct process *victim, uint64_t at)
{
	struct sf_ev_oom e = { .hdr.ts = at * MS,
			       .limit = 64 << 20,
			       .usage = 64 << 20,
			       .owner = 9,
			       .nnames = 2,
			       .actor = { .tgid = victim->key.tgid,
					  .start_ns = victim->key.start_ns } };
	void *v = s->t->ooms.v;

	snprintf(e.names[0], SF_CG_NAME, "box");
	snprintf(e.names[1], SF_CG_NAME, "pods");
	assert_int_equal(util_grow(&v, &s->t->ooms.cap, s->t->ooms.n + 1, sizeof(e)), 0);
	s->t->ooms.v = v;
	s->t->ooms.v[s->t->ooms.n++] = e;
}

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

static void signal_from(struct scene *s, const struct process *to, int sig, int code,
			const char *sender, uint32_t sender_pid, uint64_t at, uint8_t forced)
{
	struct sf_ev_signal e = { .hdr.ts = at * MS,
				  .sig = sig,
				  .code = code,
				  .nr = -1,
				  .sender_tgid = sender_pid,
				  .sender_kernel = code > 0,
				  .forced = forced,
				  .actor = { .tgid = to->key.tgid, .start_ns = to->key.start_ns } };
	void *v = s->t->signals.v;

	if (task_find_process(s->t, sender_pid, sender_pid))
		e.sender_instance = s->t->instance;
	if (sig == SIGSYS)
		e.nr = names_syscall_nr("io_uring_setup");
	snprintf(e.sender_comm, sizeof(e.sender_comm), "%s", sender);
	assert_int_equal(util_grow(&v, &s->t->signals.cap, s->t->signals.n + 1, sizeof(e)), 0);
	s->t->signals.v = v;
	s->t->signals.v[s->t->signals.n++] = e;
}

static void test_137_needs_provenance(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);

	signal_from(s, p, SIGKILL, 0, "harness", 99, 8, 0);
	ends(s, p, 9, SIGKILL, NULL);
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

/* No call fails: the socket's error is seen in a softirq, and is the process's that connected. */
static void test_resolver_that_nobody_listens_on(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);
	struct call connected = { "connect", 0, "127.0.0.53:53", .text_kind = SF_TEXT_SOCKADDR };
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

static void test_denial_then_silence_then_kill(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);
	struct call denied = { "sendto", EPERM, .entry = SF_DENIED };
	struct signature *sig = fails(s, p, 5, &denied);

	p->n_last = 1;
	p->last[0].err = EPERM;
	p->last[0].hash = sig->key.hash;
	signal_from(s, p, SIGKILL, 0, "timeout", 99, 9000, 0);
	ends(s, p, 9001, SIGKILL, NULL);
	expect(s, CAUSE_SECCOMP_DENIED, "sendto");
}

static void test_lost_data_counts_with_exit_0(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);
	struct call full = { "write", ENOSPC, "/w/logs/run.log", .text_kind = SF_TEXT_FD };

	fails(s, p, 5, &full);
	ends(s, p, 9, EXITED(0), NULL);
	expect(s, CAUSE_DISK_FULL, "/w/logs/run.log");
	assert_int_equal(s->out.failures[0].disposition, DISP_CONTRIBUTING);
}

static void test_launcher_setup_is_silent(void **state)
{
	struct scene *s = *state;
	struct process *b = process(s, 10, 0, "bwrap", 1), *p = process(s, 11, 10, "tool", 5);
	struct call refused = { "mount", EPERM, "/newroot/x", .cap_mask = 1 << 21 };

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
	struct call a = { "vfork", EAGAIN, .limits = l }, b = { "clone", EAGAIN, .limits = l };

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
	struct call zone = { "openat", ENOENT, "/usr/share/zoneinfo/Europe/Berlin" };

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

/* A crash belongs to the refused primitive before it, whatever the crash report names. */
static void test_abort_after_a_refusal(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "node", 1);
	struct call refused = { "mprotect", EACCES, .state = SF_ST_MDWE };

	fails(s, p, 8, &refused);
	ends(s, p, 9, SIGTRAP, "21: 0x195e476 [node]\n");
	expect(s, CAUSE_EXEC_MEMORY_DENIED, "mprotect");
}

static void test_ephemeral(void **state)
{
	struct scene *s = *state;
	struct process *sh = process(s, 10, 0, "sh", 1), *a = process(s, 11, 10, "python3", 2),
		       *b = process(s, 12, 10, "python3", 20);
	struct call made = { "openat", 0, "/tmp/deps/settings.json" },
		    lost = { "openat", ENOENT, "/tmp/deps/settings.json" };

	fails(s, a, 3, &made);
	ends(s, a, 9, EXITED(0), NULL);
	fails(s, b, 22, &lost);
	ends(s, b, 25, EXITED(1), "No such file or directory: '/tmp/deps/settings.json'\n");
	ends(s, sh, 26, EXITED(1), NULL);
	expect(s, CAUSE_EPHEMERAL_LOST_FILE, "/tmp/deps/settings.json");
}

static void test_other_address_answers(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "curl", 1);
	struct call six = { "connect", ENETUNREACH, "[2001:db8::1]:443",
			    .text_kind = SF_TEXT_SOCKADDR },
		    four = { "connect", 0, "192.0.2.7:443", .text_kind = SF_TEXT_SOCKADDR };

	fails(s, p, 3, &six);
	fails(s, p, 4, &four);
	ends(s, p, 9, EXITED(22), NULL);
	expect(s, CAUSE_EXIT_NON_ZERO, "curl");
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

#define T(f) cmocka_unit_test_setup_teardown(f, scene_new, scene_free)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_outcome_over_errno),
		T(test_helper_that_its_parent_shrugs_off),
		T(test_own_fault_is_workload),
		T(test_missing_file_is_workload),
		T(test_path_sweep_is_one_failure),
		T(test_sweep_that_finds_is_noise),
		T(test_missing_cwd_before_exec),
		T(test_clone3_denied),
		T(test_clone3_falls_back),
		T(test_oom_counts_where_the_task_ends_well),
		T(test_137_needs_provenance),
		T(test_teardown_of_a_helper_is_noise),
		T(test_teardown_after_a_failure_is_an_echo),
		T(test_sigbus_within_the_file_is_no_room),
		T(test_resolver_that_nobody_listens_on),
		T(test_sigsys_kill_and_trap),
		T(test_denial_then_silence_then_kill),
		T(test_lost_data_counts_with_exit_0),
		T(test_launcher_setup_is_silent),
		T(test_limit_is_told_once_by_its_first_call),
		T(test_module),
		T(test_last_words_speak_for_a_call),
		T(test_tolerated_then_own_fault),
		T(test_abort_after_a_refusal),
		T(test_ephemeral),
		T(test_other_address_answers),
		T(test_running_task_reports_only_what_is_sure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
