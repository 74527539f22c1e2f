/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes: born, becoming another program, dying; and threads that seccomp killed alone.
 */
#include "cpu.bpf.h"
#include "process.bpf.h"

/* ---- fork ---- */

/* What was observed of the parent holds for the child; for the marker's `armed` see fork_arm(). */
static __always_inline u32 fork_inherit_state(struct task_struct *parent, struct task_struct *child)
{
	struct sf_thread *thread;
	u32 state = thread_state(parent);

	if (!state)
		return 0;
	thread = thread_get(child, true);
	if (thread)
		thread->state = state;
	else
		counter_add(SF_C_LOST_THREAD);
	return state;
}

/* The parent's marker is trusted, so the enters are seen: then the child's can be from the start. */
static __always_inline void fork_arm(struct task_struct *parent, struct task_struct *child)
{
	struct sf_thread *thread;

	if (!COMPAT_FORK_IS_SILENT || child->seccomp.mode != SECCOMP_MODE_FILTER)
		return;
	thread = thread_get(parent, false);
	if (!thread || !thread->armed)
		return;
	thread = thread_get(child, true);
	if (thread)
		thread->armed = 1;
	else
		counter_add(SF_C_LOST_THREAD);
}

static __always_inline void fork_inherit_scope(struct task_struct *parent,
					       struct task_struct *child)
{
	u32 from = parent->tgid, to = child->tgid;
	u64 *instance, copy;

	if (!scoped_count)
		return;
	instance = bpf_map_lookup_elem(&scoped, &from);
	if (!instance)
		return;
	copy = *instance;
	if (bpf_map_update_elem(&scoped, &to, &copy, BPF_ANY))
		counter_add(SF_C_LOST_PROC);
}

/* What a watched server starts is watched with it: a launcher, and the server proper. */
static __always_inline void fork_inherit_watch(struct task_struct *parent,
					       struct task_struct *child)
{
	u32 from = parent->tgid, to = child->tgid;
	u32 *root, copy;

	if (!watched_count)
		return;
	root = bpf_map_lookup_elem(&watched, &from);
	if (!root)
		return;
	copy = *root;
	if (bpf_map_update_elem(&watched, &to, &copy, BPF_ANY))
		counter_add(SF_C_LOST_PROC);
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(handle_sched_process_fork, struct task_struct *parent, struct task_struct *child)
{
	u32 state = fork_inherit_state(parent, child);
	struct sf_scratch *s;
	u64 instance, cgroup;

	fork_arm(parent, child);
	if (parent->tgid == child->tgid)
		return 0;
	fork_inherit_scope(parent, child);
	fork_inherit_watch(parent, child);
	/* The child's own cgroup: CLONE_INTO_CGROUP has put it there already. */
	instance = task_instance(child, &cgroup);
	if (!instance)
		return 0;
	counter_add(SF_C_FORK);
	s = scratch_for(child, instance, cgroup);
	if (!s)
		return 0;
	s->state = state;
	actor_fill(s->slot);
	s->fork.throttled_ns = cpu_throttled_ns(child);
	rare_emit(s->slot, SF_EV_FORK, sizeof(s->fork));
	scratch_put(s);
	return 0;
}

/* ---- exec ---- */

/* The file as it was given, with the room for it at the head of the event's strings. */
static __always_inline u32 exec_file(struct sf_scratch *s, struct linux_binprm *bprm)
{
	long len = bpf_probe_read_kernel_str(s->exec.data, SF_PATH, bprm->filename);

	return len > 0 ? len - 1 : 0;
}

/* Absolute path of the program that runs now: for a script its interpreter. */
static __always_inline u32 exec_exe(struct sf_scratch *s, struct linux_binprm *bprm, u32 at)
{
	u32 off, len;

	s->from_dentry = (u64)bprm->file->f_path.dentry;
	s->from_mnt = (u64)bprm->file->f_path.mnt;
	path_walk(s->slot);
	off = s->walk_off;
	len = SF_PATH - 1 - off;
	barrier_var(off);
	barrier_var(len);
	barrier_var(at);
	if (off >= SF_PATH || len >= SF_PATH || at >= SF_PATH)
		return 0;
	bpf_probe_read_kernel(s->exec.data + at, len, s->walk + off);
	return len;
}

static __always_inline u32 exec_argv(struct sf_scratch *s, struct task_struct *task, u32 at)
{
	u64 start = task->mm->arg_start, len = task->mm->arg_end - start;

	if (len > SF_ARGV)
		len = SF_ARGV;
	barrier_var(len);
	barrier_var(at);
	/* A mask: of a comparison older verifiers (6.1) keep a range that is none. */
	at &= SF_DATA - 1;
	if (len > SF_ARGV)
		return 0;
	if (bpf_probe_read_user(s->exec.data + at, len, (void *)start))
		return 0;
	return len;
}

/* Would the file's owner or group have become the process's? For a script the interpreter counts.
 * Without its execute bit a set-group-id file is marked for locking. */
static __always_inline bool exec_is_set_id(struct linux_binprm *bprm, const struct cred *cred)
{
	struct inode *inode = BPF_CORE_READ(bprm, file, f_inode);
	u32 mode = BPF_CORE_READ(inode, i_mode);

	if (mode & S_ISUID && BPF_CORE_READ(inode, i_uid.val) != BPF_CORE_READ(cred, euid.val))
		return true;
	return (mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) &&
	       BPF_CORE_READ(inode, i_gid.val) != BPF_CORE_READ(cred, egid.val);
}

static __always_inline u32 exec_secure(struct linux_binprm *bprm, struct task_struct *task)
{
	u32 secure = 0;

	if (BPF_CORE_READ_BITFIELD_PROBED(bprm, secureexec))
		secure |= SF_SECURE_GAINED;
	if (!exec_is_set_id(bprm, BPF_CORE_READ(task, cred)))
		return secure;
	if (task->atomic_flags >> PFA_NO_NEW_PRIVS & 1)
		secure |= SF_SECURE_NNP;
	if (BPF_CORE_READ(bprm, file, f_path.mnt, mnt_flags) & MNT_NOSUID)
		secure |= SF_SECURE_NOSUID;
	return secure;
}

/* What it said before it became another program are not the other's last words. */
static __always_inline void exec_silences(struct task_struct *task)
{
	u32 tgid = TASK_READ(task, tgid);
	struct sf_process *p = bpf_map_lookup_elem(&processes, &tgid);
	struct sf_report *r = bpf_map_lookup_elem(&reports, &tgid);

	if (p)
		p->tail.total = 0;
	if (r)
		r->tail.total = r->writes = 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(handle_sched_process_exec, struct task_struct *task, pid_t old_pid,
	     struct linux_binprm *bprm)
{
	u64 cgroup, instance = task_instance(task, &cgroup);
	struct sf_ev_exec *ev;
	struct sf_scratch *s;
	u32 file, exe, argv;

	thread_renamed(task, old_pid);
	if (!instance && !exec_watch)
		return 0;
	if (instance) {
		counter_add(SF_C_EXEC);
		exec_silences(task);
	}
	s = scratch_for(task, instance, cgroup);
	if (!s)
		return 0;
	ev = &s->exec.head;
	actor_fill(s->slot);
	file = exec_file(s, bprm);
	exe = exec_exe(s, bprm, file);
	argv = exec_argv(s, task, file + exe);
	ev->file_len = file;
	ev->exe_len = exe;
	ev->argv_len = argv;
	ev->secure = exec_secure(bprm, task);
	ev->throttled_ns = cpu_throttled_ns(task);
	if (instance)
		rare_emit(s->slot, SF_EV_EXEC, sizeof(*ev) + file + exe + argv);
	else
		channel_emit(s->slot, SF_EV_EXEC, sizeof(*ev) + file + exe + argv);
	scratch_put(s);
	return 0;
}

/* ---- exit ---- */

/* The ring, oldest byte first, at `to` behind the event; its length. */
static __always_inline u32 exit_tail(struct sf_scratch *s, u32 to, struct sf_tail *tail)
{
	u32 at, first;

	barrier_var(to);
	to &= 2 * SF_TAIL - 1;
	if (tail->total < SF_TAIL) {
		bpf_probe_read_kernel(s->exit.data + to, SF_TAIL, tail->ring);
		return tail->total;
	}
	at = tail->total & (SF_TAIL - 1);
	first = SF_TAIL - at;
	barrier_var(first);
	if (first > SF_TAIL)
		return 0;
	bpf_probe_read_kernel(s->exit.data + to, first, tail->ring + at);
	bpf_probe_read_kernel(s->exit.data + to + first, at, tail->ring);
	return SF_TAIL;
}

static __always_inline u32 exit_report(struct sf_scratch *s, u32 tgid, u32 to)
{
	struct sf_report *r = bpf_map_lookup_elem(&reports, &tgid);
	u32 len = 0;

	if (!r)
		return 0;
	if (s->exit.head.status && r->start_ns == s->exit.head.actor.start_ns)
		len = exit_tail(s, to, &r->tail);
	bpf_map_delete_elem(&reports, &tgid);
	return len;
}

/* As wait(2) will have it: do_group_exit() and wait_task_zombie() in kernel/exit.c. */
static __always_inline u32 exit_status(struct task_struct *task)
{
	if (task->signal->flags & SIGNAL_GROUP_EXIT)
		return task->signal->group_exit_code;
	return task->group_leader->exit_code;
}

/* Threads that are gone were added up in signal_struct; this one and a leader that went before it
 * were not. */
static __always_inline u64 exit_cputime(struct task_struct *task)
{
	u64 sum = task->signal->utime + task->signal->stime + task->utime + task->stime;

	if (task->group_leader != task)
		sum += task->group_leader->utime + task->group_leader->stime;
	return sum;
}

/* Which file its fd 2 is: one that is its parent's too speaks for itself. */
static __always_inline u16 exit_stderr(struct task_struct *task)
{
	struct file *file = task_file(task, STDERR);
	struct inode *inode = file ? BPF_CORE_READ(file, f_inode) : NULL;
	u64 h;

	if (!inode)
		return 0;
	h = hash_mix(HASH_SEED, BPF_CORE_READ(inode, i_ino));
	h = hash_mix(h, BPF_CORE_READ(inode, i_sb, s_dev));
	return h & 0xffff ? h : 1;
}

static __always_inline void exit_process(struct sf_scratch *s, struct task_struct *task)
{
	struct sf_ev_exit *ev = &s->exit.head;
	u32 tgid = task->tgid, len = 0;
	struct sf_process *p;

	__builtin_memset(ev, 0, sizeof(*ev));
	actor_fill(s->slot);
	ev->status = exit_status(task);
	ev->utime_ns = exit_cputime(task);
	s->hdr.serial = exit_stderr(task);
	ev->rlim_cpu = task->signal->rlim[RLIMIT_CPU].rlim_cur;
	p = bpf_map_lookup_elem(&processes, &tgid);
	if (p && p->start_ns == ev->actor.start_ns) {
		len = exit_tail(s, 0, &p->tail);
		ev->tail_len = len;
		ev->tail_total = p->tail.total;
	}
	ev->report_len = exit_report(s, tgid, len);
	rare_emit(s->slot, SF_EV_EXIT, sizeof(*ev) + len + ev->report_len);
}

/*
 * Does this thread, under a filter, stand in a call that it neither entered nor left? A thread that a
 * signal ended has left its call, or runs in user mode, where no call's number stands.
 */
static __always_inline bool exit_in_refused_call(struct task_struct *task)
{
	struct pt_regs *regs = compat_regs(compat_current());
	struct sf_thread *thread = thread_get(task, false);
	u64 call[6], differs = 0;
	u32 i;

	if (!thread || !thread->armed || thread->entered || (s32)compat_raw_nr(regs) < 0)
		return false;
	compat_call(call, regs);
	for (i = 0; i < 6; i++)
		differs |= call[i] ^ thread->left_call[i];
	return differs;
}

/*
 * A thread killed by seccomp raises no signal where others live on: its own exit code says it. In
 * a group that SIGSYS ends as a whole every thread has that code; the one that did it is marked.
 * Where no such mark is made it is found by its call, as the group's flag tells nothing of a lone
 * thread there, and not even the kill of a process raises a signal (before 307d522f5eb8).
 */
static __always_inline bool exit_by_seccomp(struct task_struct *task)
{
	if ((task->exit_code & 0x7f) != SIGSYS)
		return false;
	if (task->seccomp.mode == SECCOMP_MODE_DEAD)
		return true;
	if (!compat_marks_killed())
		return exit_in_refused_call(task);
	return !(task->signal->flags & SIGNAL_GROUP_EXIT);
}

static __always_inline void exit_thread(struct sf_scratch *s, struct task_struct *task, bool last)
{
	struct task_struct *current = compat_current();
	struct pt_regs *regs = compat_regs(current);
	struct sf_ev_thread *ev = &s->thread;
	bool is32 = compat_is_32bit(task, regs);

	__builtin_memset(ev, 0, sizeof(*ev));
	actor_fill(s->slot);
	ev->code = task->exit_code;
	ev->nr = compat_nr(compat_raw_nr(regs));
	ev->abi = compat_abi(compat_raw_nr(regs), is32);
	ev->group_alive = !last;
	compat_args(ev->args, regs, is32);
	rare_emit(s->slot, SF_EV_THREAD, sizeof(*ev));
}

static __always_inline int process_left(struct task_struct *task)
{
	bool last = !task->signal->live.counter, alone = exit_by_seccomp(task);
	u64 cgroup, instance;
	struct sf_scratch *s;
	u32 tgid = task->tgid;

	if (!last && !alone) {
		thread_forget(task);
		return 0;
	}
	instance = task_instance(task, &cgroup);
	if (instance) {
		if (last)
			counter_add(SF_C_EXIT);
		s = scratch_for(task, instance, cgroup);
		if (s) {
			if (alone)
				exit_thread(s, task, last);
			if (last) {
				cpu_emit(s->slot);
				exit_process(s, task);
			}
			scratch_put(s);
		}
	}
	thread_forget(task);
	if (!last)
		return 0;
	bpf_map_delete_elem(&processes, &tgid);
	if (scoped_count)
		bpf_map_delete_elem(&scoped, &tgid);
	if (watched_count)
		bpf_map_delete_elem(&watched, &tgid);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(handle_sched_process_exit, struct task_struct *task)
{
	return process_left(task);
}

/* Where tracepoints run preemptibly, as in syscall.bpf.c: processes end together, and a missed exit
 * leaves an outcome unknown. */
SEC("?tp/sched/sched_process_exit")
int handle_sched_process_exit_held(void *ctx)
{
	return process_left(compat_current());
}
