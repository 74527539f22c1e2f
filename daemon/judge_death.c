/* SPDX-License-Identifier: GPL-2.0-only */
/* Deaths: OOM by evidence alone, seccomp, limits, and kills with their sender. */
#include <errno.h>
#include <linux/magic.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "judge_internal.h"
#include "names.h"

#ifndef SYS_SECCOMP
#define SYS_SECCOMP 1 /* si_code of SIGSYS, siginfo.h */
#endif
#define TOLD_NS                                                                                    \
	(30 * (uint64_t)NSEC_PER_SEC) /* a program that takes longer left for its own reasons */
#define MIB(b) ((unsigned long long)(b) >> 20)

struct candidate *judge_add_death(struct judgement *j, enum cause cause, enum prior prior,
				  const struct sf_actor *a, uint64_t ts)
{
	struct candidate *c = judgement_add(j);

	if (!c)
		return NULL;
	c->c.matched = true;
	c->c.cause = cause;
	c->c.prior = prior;
	c->c.confidence = CONF_CERTAIN;
	c->process = task_find_process(j->task, a->tgid, a->start_ns);
	c->first_ns = ts;
	c->last_ns = ts;
	c->count = 1;
	c->pid = a->tgid;
	c->ns_pid = a->ns_pid;
	memcpy(c->comm, a->comm, SF_COMM);
	return c;
}

static int judge_oom(struct judgement *j, const struct sf_ev_oom *e)
{
	bool host = e->owner == 0 || e->limit == ~0ULL;
	struct candidate *c;

	for (size_t i = 0; i < j->n; i++) {
		c = &j->v[i];
		if (c->c.cause != (host ? CAUSE_MEMORY_OOM_HOST : CAUSE_MEMORY_OOM_CGROUP))
			continue;
		c->count++;
		c->last_ns = e->hdr.ts;
		return candidate_say(c, "the OOM killer chose pid %u (%.16s) as well",
				     e->actor.tgid, e->actor.comm);
	}
	c = judge_add_death(j, host ? CAUSE_MEMORY_OOM_HOST : CAUSE_MEMORY_OOM_CGROUP, PRIOR_SELF,
			    &e->actor, e->hdr.ts);
	if (!c)
		return -ENOMEM;
	c->signal = SIGKILL;
	c->kill = true;
	if (host) {
		snprintf(c->c.why, sizeof(c->c.why), "no memory cgroup stood at its limit");
		return text_printf(&c->c.subject, "host");
	}
	snprintf(c->c.why, sizeof(c->c.why),
		 "the OOM killer acted with the cgroup at %llu of %llu MiB", MIB(e->usage),
		 MIB(e->limit));
	snprintf(c->c.knob, sizeof(c->c.knob),
		 "raise memory.max (v1: memory.limit_in_bytes) of that cgroup above %llu MiB, or "
		 "make the task smaller",
		 MIB(e->limit));
	return judge_cgroup_path(e->names, e->nnames, &c->c.subject);
}

static bool is_oom_victim(const struct task *t, const struct process *p)
{
	for (size_t i = 0; i < t->ooms.n; i++)
		if (t->ooms.v[i].actor.tgid == p->key.tgid)
			return true;
	/* memory.oom.group kills the whole cgroup in one event: a SIGKILL by the kernel at that
	 * moment belongs to it (mm/oom_kill.c, oom_kill_memcg_member). */
	for (size_t i = 0; i < t->ooms.n; i++) {
		uint64_t at = t->ooms.v[i].hdr.ts;

		if (p->exit_ns >= at && p->exit_ns - at < 2 * (uint64_t)NSEC_PER_SEC)
			return true;
	}
	return false;
}

/* Subject and knob of a syscall that the filter did not let live. */
static int set_filtered(struct candidate *c, int abi, int nr, const __u64 *args)
{
	char name[32], decisive[256];

	if (nr < 0)
		return text_printf(&c->c.subject, "unknown syscall");
	snprintf(c->syscall, sizeof(c->syscall), "%s", names_syscall(abi, nr, name, sizeof(name)));
	names_decisive(c->syscall, (const uint64_t *)args, decisive, sizeof(decisive));
	snprintf(c->c.knob, sizeof(c->c.knob),
		 "allow %s in the seccomp profile, or answer with an errno in place of a kill",
		 c->syscall);
	return text_printf(&c->c.subject, "%s", decisive);
}

/* Of a kernel that raises no signal for it (307d522f5eb8 changed that): the thread's own end. */
static const struct sf_ev_thread *killed_thread(const struct task *t, const struct process *p)
{
	for (size_t i = 0; i < t->threads.n; i++) {
		const struct sf_actor *a = &t->threads.v[i].actor;

		if (a->tgid == p->key.tgid && a->start_ns == p->key.start_ns)
			return &t->threads.v[i];
	}
	return NULL;
}

static int judge_sigsys(struct judgement *j, const struct process *p, const struct sf_ev_signal *e)
{
	bool trap = e && e->code == SYS_SECCOMP && !e->forced;
	const struct sf_ev_thread *thread = e ? NULL : killed_thread(j->task, p);
	struct sf_actor a = { .tgid = p->key.tgid,
			      .start_ns = p->key.start_ns,
			      .ns_pid = p->ns_pid };
	struct candidate *c;

	memcpy(a.comm, p->comm, SF_COMM);
	c = judge_add_death(j, trap ? CAUSE_SECCOMP_TRAPPED : CAUSE_SECCOMP_KILLED, PRIOR_SELF, &a,
			    e ? e->hdr.ts : p->exit_ns);
	if (!c)
		return -ENOMEM;
	c->signal = SIGSYS;
	c->kill = true;
	snprintf(c->c.why, sizeof(c->c.why), "SIGSYS raised by the kernel for a filtered syscall");
	if (thread)
		return set_filtered(c, thread->abi, thread->nr, thread->args);
	return set_filtered(c, e ? e->abi : 0, e ? e->nr : -1, e ? e->args : NULL);
}

/* One thread that seccomp killed while the process lived on raises no signal (KERNEL: exit code). */
static int judge_thread(struct judgement *j, const struct sf_ev_thread *e)
{
	const struct process *p = task_find_process(j->task, e->actor.tgid, e->actor.start_ns);
	struct candidate *c;

	if (p && p->exited && WTERMSIG(p->status) == SIGSYS)
		return 0;
	c = judge_add_death(j, CAUSE_SECCOMP_KILLED, PRIOR_SELF, &e->actor, e->hdr.ts);
	if (!c)
		return -ENOMEM;
	c->kill = true;
	c->signal = SIGSYS;
	snprintf(c->c.why, sizeof(c->c.why), "one thread ended with the exit code of SIGSYS");
	return set_filtered(c, e->abi, e->nr, e->args);
}

static int judge_file_size(struct judgement *j, const struct process *p,
			   const struct sf_ev_signal *e)
{
	struct candidate *c;

	/* The write that passed the limit says EFBIG as well: that one has the path. */
	for (size_t i = 0; i < j->n; i++) {
		c = &j->v[i];
		if (c->process == p && c->c.cause == CAUSE_QUOTA_FILE_SIZE) {
			c->signal = SIGXFSZ;
			c->c.prior = PRIOR_SELF;
			c->kill = true;
			return candidate_say(c, "SIGXFSZ ended pid %u", p->key.tgid);
		}
	}
	c = judge_add_death(j, CAUSE_QUOTA_FILE_SIZE, PRIOR_SELF, &e->actor, e->hdr.ts);
	if (!c)
		return -ENOMEM;
	c->signal = SIGXFSZ;
	c->kill = true;
	snprintf(c->c.why, sizeof(c->c.why), "SIGXFSZ at RLIMIT_FSIZE of %llu bytes",
		 (unsigned long long)e->rlim_fsize);
	return text_printf(&c->c.subject, "write");
}

static bool cpu_limit_reached(const struct process *p)
{
	return p->rlim_cpu != ~0ULL && p->rlim_cpu &&
	       p->utime_ns >= p->rlim_cpu * (uint64_t)NSEC_PER_SEC;
}

static int judge_cpu(struct judgement *j, const struct process *p, int sig)
{
	struct sf_actor a = { .tgid = p->key.tgid,
			      .start_ns = p->key.start_ns,
			      .ns_pid = p->ns_pid };
	struct candidate *c;

	memcpy(a.comm, p->comm, SF_COMM);
	c = judge_add_death(j, CAUSE_CPU_TIME_LIMIT, PRIOR_SELF, &a, p->exit_ns);
	if (!c)
		return -ENOMEM;
	c->signal = sig;
	c->kill = true;
	snprintf(c->c.why, sizeof(c->c.why), "used %llu s of CPU time, RLIMIT_CPU is %llu s",
		 (unsigned long long)(p->utime_ns / NSEC_PER_SEC), (unsigned long long)p->rlim_cpu);
	snprintf(c->c.knob, sizeof(c->c.knob), "raise RLIMIT_CPU (ulimit -t) above %llu s",
		 (unsigned long long)p->rlim_cpu);
	return text_printf(&c->c.subject, "%.16s", p->comm);
}

/* The task clears up after itself: somebody else in it had failed before this kill was sent. */
static bool is_teardown(const struct judgement *j, const struct process *victim,
			const struct sf_ev_signal *e)
{
	if (e->sender_instance != j->task->instance)
		return false;
	for (const struct process *p = j->task->processes; p; p = p->hh.next)
		if (p != victim && process_failed(p) && p->exit_ns < e->hdr.ts &&
		    process_reaches(j, p))
			return true;
	return false;
}

/* Somebody outside killed a helper while the task still ran: the task's failure, however it ends. */
static bool is_harsh(const struct judgement *j, const struct process *p,
		     const struct sf_ev_signal *e)
{
	const struct process *root = task_root(j->task, NULL);

	return e->sig == SIGKILL && e->sender_instance != j->task->instance && root && root != p &&
	       (!root->exited || root->exit_ns > e->hdr.ts);
}

/* A SIGKILL, SIGTERM, … that somebody sent. */
static int judge_kill(struct judgement *j, const struct process *p, const struct sf_ev_signal *e)
{
	bool own = e->sender_tgid == e->actor.tgid;
	bool daemon = strcmp(e->sender_comm, "systemd-oomd") == 0 ||
		      strcmp(e->sender_comm, "earlyoom") == 0;
	struct candidate *c;

	if (own || (e->sender_kernel && !daemon) || is_teardown(j, p, e))
		return 0; /* abort(), or the teardown of a pid namespace: its cause stands elsewhere */
	c = judge_add_death(j, daemon ? CAUSE_MEMORY_OOM_DAEMON : CAUSE_DEADLINE_KILLED,
			    daemon ? PRIOR_SELF : PRIOR_STRONG, &e->actor, e->hdr.ts);
	if (!c)
		return -ENOMEM;
	c->process = p; /* not always the target: see judge_told() */
	c->signal = e->sig;
	c->kill = daemon || is_harsh(j, p, e);
	snprintf(c->c.why, sizeof(c->c.why), "%s from %.16s (pid %u), %s the task",
		 names_signal(e->sig), e->sender_comm, e->sender_tgid,
		 e->sender_instance == j->task->instance ? "a member of" : "outside");
	return text_set(&c->c.subject, e->sender_comm, strnlen(e->sender_comm, SF_COMM));
}

/* A page within the file that could not be had: no room for it. Beyond its end the program is at
 * fault (mmap(2), SIGBUS). */
static bool is_full_mapping(const struct sf_ev_signal *e)
{
	return e && e->sender_kernel && e->code == BUS_ADRERR && e->map_magic &&
	       e->map_offset < e->map_size;
}

static int judge_bus(struct judgement *j, const struct sf_ev_signal *e)
{
	bool memory = e->map_magic == TMPFS_MAGIC;
	struct candidate *c = judge_add_death(j, memory ? CAUSE_DISK_SHM_FULL : CAUSE_DISK_FULL,
					      PRIOR_SELF, &e->actor, e->hdr.ts);

	if (!c)
		return -ENOMEM;
	c->signal = SIGBUS;
	c->kill = true;
	snprintf(c->c.why, sizeof(c->c.why),
		 "no page could be had for byte %llu of a mapped file of %llu bytes",
		 (unsigned long long)e->map_offset, (unsigned long long)e->map_size);
	if (memory)
		snprintf(c->c.knob, sizeof(c->c.knob),
			 "make the tmpfs larger than the %llu MiB that this file wants (/dev/shm: "
			 "--shm-size)",
			 MIB(e->map_size + (1 << 20) - 1));
	return text_set(&c->c.subject, e->map_path, strnlen(e->map_path, SF_MAP_PATH));
}

static int judge_crash(struct judgement *j, const struct process *p, int sig)
{
	struct sf_actor a = { .tgid = p->key.tgid,
			      .start_ns = p->key.start_ns,
			      .ns_pid = p->ns_pid };
	struct candidate *c;

	memcpy(a.comm, p->comm, SF_COMM);
	c = judge_add_death(j, CAUSE_CRASH_SIGNAL, PRIOR_STRONG, &a, p->exit_ns);
	if (!c)
		return -ENOMEM;
	c->signal = sig;
	snprintf(c->c.why, sizeof(c->c.why), "ended by %s", names_signal(sig));
	return text_set(&c->c.subject, p->comm, strnlen(p->comm, SF_COMM));
}

static int judge_process_death(struct judgement *j, const struct process *p)
{
	const struct sf_ev_signal *e = process_deadly(j->task, p);
	int sig = WTERMSIG(p->status);

	switch (sig) {
	case SIGSYS:
		if (e && !e->sender_kernel) /* kill(2): no filter had a hand in it */
			return e->sender_tgid == p->key.tgid ? judge_crash(j, p, sig)
							     : judge_kill(j, p, e);
		return judge_sigsys(j, p, e);
	case SIGXFSZ:
		return e ? judge_file_size(j, p, e) : judge_crash(j, p, sig);
	case SIGXCPU:
		return judge_cpu(j, p, sig);
	case SIGKILL:
		if (is_oom_victim(j->task, p) && (!e || e->sender_kernel))
			return 0; /* said by judge_oom */
		if (cpu_limit_reached(p) && (!e || e->sender_kernel))
			return judge_cpu(j, p, sig);
		return e ? judge_kill(j, p, e) : 0;
	case SIGTERM:
	case SIGINT:
	case SIGHUP:
	case SIGQUIT:
		return e ? judge_kill(j, p, e) : 0;
	case SIGBUS:
		return is_full_mapping(e) ? judge_bus(j, e) : judge_crash(j, p, sig);
	case SIGPIPE:
		return 0; /* a reader that had enough: the transport's own evidence says more */
	default:
		return judge_crash(j, p, sig);
	}
}

/* SIGTERM that a handler had: the process left by itself, because it was told to. timeout(1) tells
 * of a command that it had to stop by 124. */
static int judge_told(struct judgement *j, const struct sf_ev_signal *e)
{
	const struct process *p = task_find_process(j->task, e->actor.tgid, e->actor.start_ns);
	const struct process *sender =
		task_find_process(j->task, e->sender_tgid, e->sender_start_ns);

	if (!e->handled || e->sig != SIGTERM || !p || !p->exited || WTERMSIG(p->status))
		return 0;
	if (p->exit_ns < e->hdr.ts || p->exit_ns - e->hdr.ts > TOLD_NS)
		return 0;
	if (process_failed(p))
		return judge_kill(j, p, e);
	if (sender && sender->exited && WEXITSTATUS(sender->status) == 124)
		return judge_kill(j, sender, e);
	return 0;
}

int judge_deaths(struct judgement *j)
{
	for (size_t i = 0; i < j->task->signals.n; i++) {
		int told = judge_told(j, &j->task->signals.v[i]);

		if (told < 0)
			return told;
	}
	int r;

	for (size_t i = 0; i < j->task->ooms.n; i++) {
		r = judge_oom(j, &j->task->ooms.v[i]);
		if (r < 0)
			return r;
	}
	for (size_t i = 0; i < j->task->threads.n; i++) {
		r = judge_thread(j, &j->task->threads.v[i]);
		if (r < 0)
			return r;
	}
	for (const struct process *p = j->task->processes; p; p = p->hh.next) {
		if (!p->exited || !WTERMSIG(p->status))
			continue;
		r = judge_process_death(j, p);
		if (r < 0)
			return r;
	}
	return 0;
}
