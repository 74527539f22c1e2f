/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signals that end a process, or ask it to end, with who sent them.
 */
#include "emit.bpf.h"

#define SIGHUP	 1
#define SIGINT	 2
#define SIGQUIT	 3
#define SIGBUS	 7
#define SIGKILL	 9
#define SIGTERM	 15
#define SIGCHLD	 17
#define SIGCONT	 18
#define SIGSTOP	 19
#define SIGTSTP	 20
#define SIGTTIN	 21
#define SIGTTOU	 22
#define SIGURG	 23
#define SIGXFSZ	 25
#define SIGWINCH 28
#define NSIG	 64

#define SIG_DFL 0
#define SIG_IGN 1

#define SI_USER	  0
#define SI_KERNEL 0x80

#define TRACE_SIGNAL_DELIVERED 0

#define MAPPING_DEPTH 40 /* a balanced tree of 65530 mappings is at most twice 16 deep */

/* In place of a siginfo: from user space with nothing to say, and from the kernel. */
#define SEND_SIG_NOINFO 0
#define SEND_SIG_PRIV	1

#define BIT(n) (1ULL << (n))

/* Ignored, stopping or continuing by default (signal(7)): these end nobody. */
#define SIGNALS_HARMLESS                                                                           \
	(BIT(0) | BIT(SIGCHLD) | BIT(SIGCONT) | BIT(SIGSTOP) | BIT(SIGTSTP) | BIT(SIGTTIN) |       \
	 BIT(SIGTTOU) | BIT(SIGURG) | BIT(SIGWINCH))

/* They ask a program to end: told too where it has a handler for them. */
#define SIGNALS_ASKING (BIT(SIGHUP) | BIT(SIGINT) | BIT(SIGQUIT) | BIT(SIGTERM))

/* The flag of an action that nobody may change any more (since 5.16, include/linux/signal_types.h). The
 * kernel sets it where a signal must kill: seccomp's kill does, its trap does not. */
#define SA_IMMUTABLE 0x00800000

static __always_inline u64 signal_action(struct task_struct *task, u32 sig)
{
	return (u64)&task->sighand->action +
	       (sig - 1) * (u64)bpf_core_type_size(struct k_sigaction);
}

static __always_inline bool signal_is_forced(struct task_struct *task, u32 sig)
{
	struct k_sigaction *action = (void *)signal_action(task, sig);

	return BPF_CORE_READ(action, sa.sa_flags) & SA_IMMUTABLE;
}

enum signal_fate { SIGNAL_HARMLESS, SIGNAL_FATAL, SIGNAL_HANDLED };

/* Will the target's default action end it? A handler is the program's own business, however often
 * its timers fire, but for signals that ask it to end. For a signal that the kernel forces the
 * handler is gone by now. */
static __always_inline enum signal_fate signal_fate(struct task_struct *task, u32 sig)
{
	u64 handler = SIG_DFL;

	if (sig == SIGKILL || sig == SIGSYS)
		return SIGNAL_FATAL;
	bpf_probe_read_kernel(&handler, sizeof(handler), (void *)signal_action(task, sig));
	if (handler == SIG_DFL)
		return SIGNAL_FATAL;
	return handler != SIG_IGN && sig < 64 && SIGNALS_ASKING >> sig & 1 ? SIGNAL_HANDLED
									   : SIGNAL_HARMLESS;
}

/*
 * kill(2) and its kin bring a siginfo. Without one it is kernel code that sends: to the current
 * task itself for what it just did (SIGPIPE, SIGXFSZ), or to others in its name (cgroup.kill).
 */
static __always_inline void signal_info(struct sf_ev_signal *ev, u64 addr, bool self)
{
	struct kernel_siginfo *info = (void *)addr;

	if (addr == SEND_SIG_NOINFO) {
		ev->code = SI_USER;
		ev->sender_kernel = self;
		return;
	}
	if (addr == SEND_SIG_PRIV) {
		ev->code = SI_KERNEL;
		ev->sender_kernel = 1;
		return;
	}
	ev->code = BPF_CORE_READ(info, si_code);
	ev->err = BPF_CORE_READ(info, si_errno);
	ev->sender_kernel = ev->code > 0;
	if (!ev->sender_kernel)
		return;
	if (ev->sig == SIGSYS) {
		ev->nr = compat_nr(BPF_CORE_READ(info, _sifields._sigsys._syscall));
		ev->addr = (u64)BPF_CORE_READ(info, _sifields._sigsys._call_addr);
	} else {
		ev->addr = (u64)BPF_CORE_READ(info, _sifields._sigfault._addr);
	}
}

/* Where the kernel raised it in the target's own syscall: that syscall. */
static __always_inline void signal_call(struct sf_ev_signal *ev, struct task_struct *current)
{
	struct pt_regs *regs = compat_regs(current);
	bool is32 = compat_is_32bit(current, regs);

	ev->abi = compat_abi(compat_raw_nr(regs), is32);
	ev->nr = compat_nr(compat_raw_nr(regs));
	compat_args(ev->args, regs, is32);
}

static __always_inline void signal_sender(struct sf_ev_signal *ev, struct task_struct *current)
{
	ev->sender_tgid = TASK_READ(current, tgid);
	ev->sender_start_ns = TASK_READ(current, group_leader, start_boottime);
	ev->sender_instance = task_instance(current, &ev->sender_cgroup);
	bpf_get_current_comm(ev->sender_comm, sizeof(ev->sender_comm));
}

struct mapping_state {
	struct sf_scratch *s;
};

static __always_inline void mapping_fill(struct sf_scratch *s, struct vm_area_struct *vma)
{
	struct file *file = BPF_CORE_READ(vma, vm_file);
	struct inode *inode;
	u64 page;

	if (!file)
		return;
	inode = BPF_CORE_READ(file, f_inode);
	s->signal.map_size = BPF_CORE_READ(inode, i_size);
	s->signal.map_magic = BPF_CORE_READ(inode, i_sb, s_magic);
	page = BPF_CORE_READ(vma, vm_pgoff);
	s->signal.map_offset =
		s->signal.addr - BPF_CORE_READ(vma, vm_start) + page * config.page_size;
	s->from_dentry = (u64)BPF_CORE_READ(file, f_path.dentry);
	s->from_mnt = (u64)BPF_CORE_READ(file, f_path.mnt);
}

static long mapping_found(struct task_struct *task, struct vm_area_struct *vma,
			  struct mapping_state *state)
{
	mapping_fill(state->s, vma);
	return 0;
}

/* As find_vma() did, without its lock: what changes meanwhile may hide the mapping, no more. */
static __always_inline struct vm_area_struct *mapping_search(struct task_struct *task, u64 addr)
{
	struct mm_struct___tree *mm = (void *)TASK_READ(task, mm);
	struct rb_node *node = BPF_CORE_READ(mm, mm_rb.rb_node);
	struct vm_area_struct___tree *vma;
	u32 i;

	for (i = 0; i < MAPPING_DEPTH && node; i++) {
		vma = (void *)node - bpf_core_field_offset(struct vm_area_struct___tree, vm_rb);
		if (BPF_CORE_READ(vma, vm_start) > addr)
			node = BPF_CORE_READ(node, rb_left);
		else if (BPF_CORE_READ(vma, vm_end) <= addr)
			node = BPF_CORE_READ(node, rb_right);
		else
			return (void *)vma;
	}
	return NULL;
}

/* bpf_find_vma came with 5.17 (7c7e3d31e785); the tree went with 6.1 (524e00b36e8c). */
static __always_inline void mapping_find(struct sf_scratch *s, struct task_struct *current)
{
	struct mapping_state state = { s };
	struct vm_area_struct *vma;

	if (compat_has(find_vma)) {
		bpf_find_vma(current, s->signal.addr, mapping_found, &state, 0);
		return;
	}
	if (!bpf_core_field_exists(struct mm_struct___tree, mm_rb))
		return;
	vma = mapping_search(current, s->signal.addr);
	if (vma)
		mapping_fill(s, vma);
}

/* A page of a mapped file that can't be had: beyond the file's end, or no room for it. The lock of
 * the mappings may be held: then nothing is known. */
static __always_inline void signal_mapping(struct sf_scratch *s, struct task_struct *current)
{
	u32 off;

	s->from_dentry = 0;
	mapping_find(s, current);
	if (!s->from_dentry)
		return;
	path_walk(s->slot);
	off = s->walk_off;
	if (off + SF_MAP_PATH < SF_PATH)
		off = SF_PATH - SF_MAP_PATH;
	barrier_var(off);
	off &= SF_PATH - 1;
	bpf_probe_read_kernel_str(s->signal.map_path, SF_MAP_PATH, s->walk + off);
}

/* For the OOM killer's mark that follows: victim_of(). */
static __always_inline void signal_note_killed(struct task_struct *current,
					       struct task_struct *target)
{
	struct sf_thread *thread;

	if (!config.victim_is_pid)
		return;
	thread = thread_get(current, true);
	if (thread)
		thread->killed = (u64)target;
	else
		counter_add(SF_C_LOST_THREAD);
}

SEC("tp_btf/signal_generate")
int BPF_PROG(handle_signal_generate, int sig, struct kernel_siginfo *info, struct task_struct *task,
	     int group, int result)
{
	struct task_struct *current = compat_current();
	u64 cgroup, instance, raw_info = (u64)info;
	enum signal_fate fate;
	struct sf_ev_signal *ev;
	struct sf_scratch *s;

	if (sig <= 0 || sig > NSIG || (sig < 64 && SIGNALS_HARMLESS >> sig & 1))
		return 0;
	/* Not delivered: ignored, or one is pending already. For SIGKILL the attempt counts. */
	if (result != TRACE_SIGNAL_DELIVERED && sig != SIGKILL)
		return 0;
	instance = task_instance(task, &cgroup);
	if (!instance)
		return 0;
	if (sig == SIGKILL && raw_info == SEND_SIG_PRIV)
		signal_note_killed(current, task);
	fate = signal_fate(task, sig);
	if (fate == SIGNAL_HARMLESS)
		return 0;
	counter_add(SF_C_SIGNAL);
	s = scratch_for(task, instance, cgroup);
	if (!s)
		return 0;
	ev = &s->signal;
	__builtin_memset(ev, 0, sizeof(*ev));
	actor_fill(s->slot);
	ev->sig = sig;
	ev->group = group;
	ev->nr = -1;
	ev->handled = fate == SIGNAL_HANDLED;
	signal_info(ev, raw_info, current == task);
	signal_sender(ev, current);
	if (ev->sender_kernel && current == task && (sig == SIGSYS || sig == SIGXFSZ))
		signal_call(ev, current);
	if (ev->sender_kernel && current == task && sig == SIGBUS)
		signal_mapping(s, current);
	ev->forced = signal_is_forced(task, sig);
	ev->rlim_fsize = task->signal->rlim[RLIMIT_FSIZE].rlim_cur;
	rare_emit(s->slot, SF_EV_SIGNAL, sizeof(*ev));
	scratch_put(s);
	return 0;
}
