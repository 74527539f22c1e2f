/* SPDX-License-Identifier: GPL-2.0-only */
/* What sandbox launchers do around their payload: none of it is the task's failure. */
#include "scene.h"

#include <sched.h>

#define CAP_SYS_ADMIN_BIT (1ULL << 21)

static const struct syscall refused = { "openat", EROFS, "/data/new" };
static const char said[] = "/data/new: Read-only file system\n";

/* apply-seccomp: refused without a user namespace, and done again within one. */
static void test_same_call_succeeds_later(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "apply-seccomp", 1);
	struct syscall first = { "unshare",
				 EPERM,
				 "unshare CLONE_NEWNS|CLONE_NEWPID",
				 .args = { CLONE_NEWNS | CLONE_NEWPID },
				 .cap_mask = CAP_SYS_ADMIN_BIT,
				 .text_kind = SF_TEXT_NONE },
		       user = { "unshare", 0, "unshare CLONE_NEWUSER", .args = { CLONE_NEWUSER } },
		       again = { "unshare", 0, "unshare CLONE_NEWNS|CLONE_NEWPID",
				 .args = { CLONE_NEWNS | CLONE_NEWPID } };

	fails(s, p, 2, &first);
	fails(s, p, 3, &user);
	ends(s, p, 9, EXITED(1), NULL);
	expect(s, CAUSE_CAPABILITY_MISSING, "CAP_SYS_ADMIN");
	fails(s, p, 4, &again);
	expect(s, CAUSE_EXIT_NON_ZERO, "apply-seccomp");
	assert_int_equal(s->out.handled, 1);
}

/* The success may be that of an earlier thread, which comes back from the call when it first runs. */
static void test_fork_is_not_repeated(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "tool", 1);
	struct sf_limits l = { .valid = SF_LIM_PIDS, .pids_count = 10, .pids_limit = 10 };
	struct syscall refused_fork = { "clone3", EAGAIN, "clone3", .limits = l,
					.text_kind = SF_TEXT_NONE },
		       made = { "clone3", 0, "clone3" };

	fails(s, p, 5, &refused_fork);
	fails(s, p, 6, &made);
	ends(s, p, 9, EXITED(1), "pthread_create: Resource temporarily unavailable\n");
	expect(s, CAUSE_PIDS_CGROUP_LIMIT, "clone3");
}

/* What was done before this program took the process over is none of its fallbacks. */
static void test_fallback_of_an_earlier_program(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "payload", 1);
	struct syscall denied = { "io_uring_setup", EPERM, .entry = SF_DENIED },
		       loop = { "epoll_create1", 0 };

	fails(s, p, 2, &loop);
	p->exec_ns = 3 * MS;
	fails(s, p, 5, &denied);
	ends(s, p, 9, EXITED(1), "io_uring_setup: Operation not permitted\n");
	expect(s, CAUSE_SECCOMP_DENIED, "io_uring_setup");
	fails(s, p, 4, &loop);
	expect(s, CAUSE_EXIT_NON_ZERO, "payload");
}

/* podman: its monitor left a parent behind that had ended, and ends well itself. */
static void test_status_told_by_a_monitor(void **state)
{
	struct scene *s = *state;
	struct process *podman = process(s, 10, 0, "podman", 1),
		       *fork = process(s, 11, 10, "conmon", 2),
		       *conmon = process(s, 12, 11, "conmon", 3),
		       *runc = process(s, 13, 12, "runc", 4), *p = process(s, 14, 13, "payload", 5);

	ends(s, fork, 4, 0, NULL);
	ends(s, runc, 6, 0, NULL);
	fails(s, p, 7, &refused);
	p->reaper = conmon->key;
	ends(s, p, 8, EXITED(1), said);
	ends(s, podman, 20, EXITED(1), NULL);
	expect(s, CAUSE_READ_ONLY_MOUNT, "/data/new"); /* while the monitor lives */
	conmon->reaper = (struct process_key){ .tgid = 1, .start_ns = 1 };
	ends(s, conmon, 30, 0, NULL);
	expect(s, CAUSE_READ_ONLY_MOUNT, "/data/new");
	/* … and not where podman tells of something else */
	ends(s, podman, 20, EXITED(125), NULL);
	expect(s, CAUSE_EXIT_NON_ZERO, "podman");
}

/* systemd-nspawn: the parent of its payload leaves, and the orphan is its own. */
static void test_status_told_by_a_subreaper(void **state)
{
	struct scene *s = *state;
	struct process *nspawn = process(s, 10, 0, "systemd-nspawn", 1),
		       *outer = process(s, 11, 10, "(sd-ns)", 2),
		       *p = process(s, 12, 11, "payload", 3);

	ends(s, outer, 4, 0, NULL);
	fails(s, p, 7, &refused);
	p->reaper = nspawn->key;
	ends(s, p, 8, EXITED(1), said);
	ends(s, nspawn, 20, EXITED(1), NULL);
	expect(s, CAUSE_READ_ONLY_MOUNT, "/data/new");
}

/* A daemon that nobody waits for: what became of it says nothing of the task. */
static void test_orphan_of_nobody(void **state)
{
	struct scene *s = *state;
	struct process *sh = process(s, 10, 0, "sh", 1), *mid = process(s, 11, 10, "daemon", 2),
		       *p = process(s, 12, 11, "daemon", 3), *cc = process(s, 13, 10, "cc", 4);

	ends(s, mid, 4, 0, NULL);
	fails(s, p, 5, &refused);
	ends(s, p, 9, EXITED(1), said);
	ends(s, cc, 7, EXITED(1), "bad\n");
	ends(s, sh, 20, EXITED(1), NULL);
	expect(s, CAUSE_EXIT_NON_ZERO, "cc");
}

/* Known by its program, and by the name that the process had at that moment. */
static void test_launcher_by_another_name(void **state)
{
	struct scene *s = *state;
	struct process *nspawn = process(s, 10, 0, "systemd-nspawn", 1),
		       *stage = process(s, 11, 10, "(sd-ns)", 2),
		       *p = process(s, 12, 11, "payload", 5);
	struct syscall mount = { "mount", EPERM, "/x", .cap_mask = CAP_SYS_ADMIN_BIT };
	struct signature *sig = fails(s, stage, 3, &mount);

	ends(s, p, 8, EXITED(1), "payload: bad input\n");
	ends(s, stage, 9, EXITED(1), NULL);
	ends(s, nspawn, 10, EXITED(1), NULL);
	expect(s, CAUSE_CAPABILITY_MISSING, "CAP_SYS_ADMIN");
	snprintf(sig->comm, sizeof(sig->comm), "systemd-nspawn");
	expect(s, CAUSE_EXIT_NON_ZERO, "payload");
	snprintf(sig->comm, sizeof(sig->comm), "(sd-ns)");
	assert_int_equal(text_printf(&stage->exe, "/usr/bin/systemd-nspawn"), 0);
	expect(s, CAUSE_EXIT_NON_ZERO, "payload");
}

/* A container's first processes are runc's: the task's root is what they became. */
static void test_root_of_a_container(void **state)
{
	struct scene *s = *state;
	struct process *parent = process(s, 10, 0, "runc:[0:PARENT]", 1),
		       *p = process(s, 12, 0, "payload", 2);

	fails(s, p, 7, &refused);
	ends(s, p, 8, EXITED(1), said);
	ends(s, parent, 3, 0, NULL);
	s->t->rec.outcome = OUTCOME_FAILED;
	assert_ptr_equal(task_root(s->t, NULL), p);
	expect(s, CAUSE_READ_ONLY_MOUNT, "/data/new");
	parent->execs = 0;
	snprintf(parent->comm, sizeof(parent->comm), "stage");
	assert_ptr_equal(task_root(s->t, NULL), p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_same_call_succeeds_later),	T(test_fork_is_not_repeated),
		T(test_fallback_of_an_earlier_program), T(test_status_told_by_a_monitor),
		T(test_status_told_by_a_subreaper),	T(test_orphan_of_nobody),
		T(test_launcher_by_another_name),	T(test_root_of_a_container),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
