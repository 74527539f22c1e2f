/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every syscall of the machine comes through here twice. The way out for the many is short: the
 * result first, then the table by number, the task last.
 */
#include "call.bpf.h"
#include "channel.bpf.h"

#define NO_SYSCALL 0xffffffff
#define SYS_ON_SUCCESS                                                                             \
	(SF_SYS_SUCCESS | SF_SYS_CREAT | SF_SYS_STDERR | SF_SYS_STATE | SF_SYS_SHORT | SF_SYS_REPLY)
#define MAX_RW_COUNT	0x7ffff000
#define PR_MDWE_REFUSE	1
#define NR_PRCTL_COMPAT 172 /* i386 and arm alike */
#define REPLIES_MAX	4   /* of those that wait at a socket, the newest */
#define STDERR_DUPS	5   /* descriptors behind fd 2 that may be dups of it */
#define STDERR_LINE	512

/* ---- the seccomp marker: a refused syscall leaves the kernel without having entered ---- */

static __always_inline int syscall_entered(void)
{
	struct task_struct *task = compat_current();
	struct sf_thread *thread;

	if (TASK_READ(task, seccomp.mode) != SECCOMP_MODE_FILTER)
		return 0;
	thread = thread_get(task, true);
	if (thread) {
		thread->armed = 1;
		thread->entered = 1;
	} else {
		counter_add(SF_C_LOST_THREAD);
	}
	return 0;
}

SEC("tp_btf/sys_enter")
int BPF_PROG(handle_sys_enter, struct pt_regs *regs, long id)
{
	return syscall_entered();
}

/*
 * From 7.0 on tracepoints run with preemption on (a46023d5616e, f7d327654b88), and a program that
 * another thread of the same CPU is still in is skipped: for as long as that thread waits everybody
 * else would be missed there, and an entry that was missed looks like a refusal. Those of perf still
 * hold the CPU (16718274ee75), at the price of its record: user space takes them where it must.
 */
SEC("?tp/raw_syscalls/sys_enter")
int handle_sys_enter_held(void *ctx)
{
	return syscall_entered();
}

/* A thread's first exit under a filter may belong to a call that was entered before we were
 * attached, or that set the filter up: it only arms the marker. */
static __always_inline u32 marker_take(struct task_struct *task, struct pt_regs *regs)
{
	struct sf_thread *thread = thread_get(task, false);
	u8 entered;

	if (!thread)
		thread = thread_get(task, true);
	if (!thread) {
		counter_add(SF_C_LOST_THREAD);
		return SF_UNKNOWN;
	}
	if (!compat_marks_killed())
		compat_call(thread->left_call, regs);
	entered = thread->entered;
	thread->entered = 0;
	if (!thread->armed) {
		thread->armed = 1;
		return SF_UNKNOWN;
	}
	if (entered)
		return SF_ENTERED;
	return TASK_READ(task, ptrace) ? SF_PTRACED : SF_DENIED;
}

/* ---- what the call is ---- */

struct call {
	u32 nr;
	u32 table; /* index into config.sys */
	u32 flags; /* of a success: why it matters */
	u8 abi;
	u8 entry;
	u8 filtered;
};

/* What the table says of it; NULL: nothing. */
static __always_inline const volatile struct sf_sys *call_sys(struct call *call)
{
	if (call->nr >= SF_NR_MAX)
		return NULL;
	return &config.sys[call->table & 1][call->nr];
}

/* ---- into the signature map ---- */

/* A scratch slot that describes this call. */
static __always_inline struct sf_scratch *call_scratch(struct task_struct *task,
						       struct pt_regs *regs, struct call *call,
						       long ret, u64 instance, u64 cgroup)
{
	const volatile struct sf_sys *sys = call_sys(call);
	struct sf_scratch *s = call_slot(task, instance, cgroup, ret);

	if (!s)
		return NULL;
	s->marked = call->filtered;
	s->key.nr = call->nr > 0xffff ? 0xffff : call->nr;
	s->key.abi = call->abi;
	s->key.entry = call->entry;
	if (sys)
		s->sys = *(const struct sf_sys *)sys;
	else
		__builtin_memset(&s->sys, 0, sizeof(s->sys));
	compat_args(s->args, regs, call->abi == SF_ABI_COMPAT);
	return s;
}

static __noinline int call_failed(struct task_struct *task, struct pt_regs *regs, struct call *call,
				  long ret)
{
	const volatile struct sf_sys *sys = call_sys(call);
	u64 cgroup, instance = task_instance(task, &cgroup);
	struct sf_scratch *s;

	if (!instance)
		return 0;
	if (ret <= -ERESTARTSYS) {
		counter_add(SF_C_INTERNAL);
		return 0;
	}
	counter_add(SF_C_FAILED);
	if (call->entry == SF_DENIED)
		counter_add(SF_C_DENIED);
	else if (call->entry == SF_UNKNOWN)
		counter_add(SF_C_UNKNOWN);
	if (sys && call->entry != SF_DENIED && call_is_benign(sys, -ret)) {
		call_count_benign(instance);
		return 0;
	}
	s = call_scratch(task, regs, call, ret, instance, cgroup);
	if (!s) {
		signature_fold_bare(instance, -ret, call->nr, call->abi, call->entry);
		return 0;
	}
	call_fold(s);
	scratch_put(s);
	return 0;
}

/* ---- successes that matter ---- */

/* Landlock, MDWE, mounts: what later failures of this task and its children mean. */
static __always_inline void call_state(struct sf_scratch *s, struct task_struct *task)
{
	struct sf_ev_state *ev = &s->state_ev;
	struct sf_thread *thread;
	u32 prctl, observed = 0;

	prctl = s->key.abi == SF_ABI_COMPAT ? NR_PRCTL_COMPAT : config.nr_prctl;
	if (s->key.nr == config.nr_landlock_restrict_self) { /* one number in every ABI */
		ev->what = SF_STATE_LANDLOCK;
		observed = SF_ST_LANDLOCK;
	} else if (s->key.nr == prctl) {
		if ((u32)s->args[0] != PR_SET_MDWE || !(s->args[1] & PR_MDWE_REFUSE))
			return;
		ev->what = SF_STATE_MDWE;
		observed = SF_ST_MDWE;
	} else {
		ev->what = SF_STATE_MOUNT;
	}
	if (observed) {
		thread = thread_get(task, true);
		if (thread)
			thread->state |= observed;
		else
			counter_add(SF_C_LOST_THREAD);
	}
	s->state = thread_state(task) | observed;
	actor_fill(s->slot);
	ev->nr = s->key.nr;
	ev->abi = s->key.abi;
	__builtin_memset(ev->pad, 0, sizeof(ev->pad));
	__builtin_memcpy(ev->args, s->args, sizeof(ev->args));
	counter_add(SF_C_STATE);
	rare_emit(s->slot, SF_EV_STATE, sizeof(*ev));
}

/*
 * Is the success itself worth a signature? An open only where it may have made a file; an exec
 * never: its registers are the new program's, and it has an event of its own.
 */
static __always_inline bool call_worth_folding(struct sf_scratch *s)
{
	u32 index = s->sys.flags_arg, nr = s->key.nr;

	if (!(s->sys.flags & (SF_SYS_SUCCESS | SF_SYS_CREAT)))
		return false;
	if (s->key.abi != SF_ABI_COMPAT && (nr == config.nr_execve || nr == config.nr_execveat))
		return false;
	if (!(s->sys.flags & SF_SYS_CREAT) || index >= 6)
		return true;
	return s->args[index] & O_CREAT;
}

/* ---- successes that are none ---- */

/* Did a capability check fail inside this very call? */
static __always_inline struct sf_thread *reply_thread(struct task_struct *task,
						      struct pt_regs *regs)
{
	struct sf_thread *thread = thread_get(task, false);

	if (!thread || !thread->cap_mask || !thread_is_at(thread, regs))
		return NULL;
	return thread;
}

struct reply_error {
	u32 len;
	u16 type;
	u16 flags;
	u32 seq;
	u32 portid;
	s32 error;
};

/* Many a check that fails only leaves something out of the answer, but every refusal is answered
 * (netlink_ack() in net/netlink/af_netlink.c), and the answer waits for its reader. */
static __always_inline bool reply_is_refusal(struct task_struct *task, u32 fd)
{
	struct file *file = task_file(task, fd);
	struct reply_error reply;
	struct socket *socket;
	struct sk_buff *skb;
	struct sock *sk;
	u32 i;

	if (!file || (BPF_CORE_READ(file, f_inode, i_mode) & S_IFMT) != S_IFSOCK)
		return false;
	socket = BPF_CORE_READ(file, private_data);
	sk = BPF_CORE_READ(socket, sk);
	if (BPF_CORE_READ(sk, __sk_common.skc_family) != AF_NETLINK)
		return false;
	skb = BPF_CORE_READ(sk, sk_receive_queue.prev);
	for (i = 0; i < REPLIES_MAX; i++) {
		if (!skb || (void *)skb == (void *)&sk->sk_receive_queue)
			return false;
		if (!bpf_probe_read_kernel(&reply, sizeof(reply), BPF_CORE_READ(skb, data)) &&
		    reply.type == NLMSG_ERROR && reply.error == -EPERM)
			return true;
		skb = BPF_CORE_READ(skb, prev);
	}
	return false;
}

static __always_inline bool call_wrote_file(struct task_struct *task, u32 fd)
{
	struct file *file = task_file(task, fd);

	return file && (BPF_CORE_READ(file, f_inode, i_mode) & S_IFMT) == S_IFREG;
}

/* No failing syscall, yet a signature of its own. */
static __always_inline void call_fold_as(struct sf_scratch *s, u32 entry, u32 err)
{
	counter_add(SF_C_SUCCESS);
	s->key.entry = entry;
	s->key.err = err;
	call_fold(s);
}

/* perror() of the C library writes through a dup of fd 2 (stdio-common/perror.c of glibc); a program
 * that closes fd 2 behind a dup of it (tmux) still has its parent's. */
static __always_inline bool call_is_stderr(struct task_struct *task, u32 fd)
{
	struct file *file;

	if (fd == 2)
		return true;
	file = task_file(task, 2);
	if (!file)
		file = task_file(TASK_READ(task, real_parent), 2);
	return file && task_file(task, fd) == file;
}

/* … or one of few to fd 1? Who has written often there is asked by its number alone: it may be that of
 * a process that has gone. */
static __always_inline bool call_is_heard(struct task_struct *task, u32 fd)
{
	u32 tgid = TASK_READ(task, tgid);
	struct sf_report *r;

	if (fd != STDOUT)
		return call_is_stderr(task, fd);
	r = bpf_map_lookup_elem(&reports, &tgid);
	return !r || r->writes < SF_REPORT_WRITES;
}

static __noinline int call_succeeded(struct task_struct *task, struct pt_regs *regs,
				     struct call *call, long ret)
{
	struct sf_thread *thread = NULL;
	u32 flags = call->flags;
	u64 cgroup, instance;
	struct sf_scratch *s;

	if (flags & SF_SYS_REPLY) {
		thread = reply_thread(task, regs);
		if (!thread)
			flags &= ~SF_SYS_REPLY;
	}
	if (!flags)
		return 0;
	/* Before anything is read for it: most of the host is nobody's task. */
	instance = task_instance(task, &cgroup);
	if (!instance)
		return 0;
	if (flags & SF_SYS_STDERR && !call_is_heard(task, (u32)compat_arg0(regs, call->table)))
		flags &= ~SF_SYS_STDERR;
	if (!flags)
		return 0;
	if (call->entry == SF_DENIED || call->entry == SF_PTRACED) {
		counter_add(SF_C_FAKED);
		return 0;
	}
	s = call_scratch(task, regs, call, ret, instance, cgroup);
	if (!s)
		return 0;
	if (flags & SF_SYS_STDERR)
		stderr_keep(s->slot);
	if (flags & SF_SYS_STATE)
		call_state(s, task);
	if (call_worth_folding(s)) {
		counter_add(SF_C_SUCCESS);
		call_fold(s);
	}
	if (flags & SF_SYS_SHORT && call_wrote_file(task, s->args[0]))
		call_fold_as(s, SF_SHORT, 0);
	if (thread && reply_is_refusal(task, s->args[0])) {
		s->sys.subject = SF_SUBJ_NONE;
		call_fold_as(s, SF_REPLY, EPERM);
		thread->cap_mask = 0;
	}
	scratch_put(s);
	return 0;
}

/* The kernel writes less than 2 GiB at once: more is never written in full. */
static __always_inline bool call_is_short(struct pt_regs *regs, long ret, bool is32)
{
	u64 asked = is32 ? (u32)compat_arg2(regs) : compat_arg2(regs);

	return ret > 0 && (u64)ret < asked && ret < MAX_RW_COUNT;
}

/* A dup of fd 2 is made for a line and lies close to it; to ask costs 120 ns. */
static __always_inline bool call_may_be_heard(u32 fd, long ret)
{
	return fd == 2 || fd == STDOUT || (fd - 2 <= STDERR_DUPS && ret <= STDERR_LINE);
}

/* What of the flags can be ruled out from the registers alone, before the task is looked at: most
 * writes go neither to fd 2 nor close to it, most opens do not create. */
static __always_inline u32 call_flags(const volatile struct sf_sys *sys, struct pt_regs *regs,
				      long ret, bool is32)
{
	u32 flags = sys->flags & SYS_ON_SUCCESS;

	if (!flags)
		return 0;
	if (flags & SF_SYS_STDERR && !call_may_be_heard((u32)compat_arg0(regs, is32), ret))
		flags &= ~SF_SYS_STDERR;
	if (flags & SF_SYS_REPLY && !send_refused)
		flags &= ~SF_SYS_REPLY;
	if (flags & SF_SYS_SHORT && !call_is_short(regs, ret, is32))
		flags &= ~SF_SYS_SHORT;
	if (sys->flags & SF_SYS_SETS && !compat_arg2(regs))
		flags &= ~SF_SYS_SUCCESS;
	if (flags & SF_SYS_CREAT && !is32) {
		if (sys->flags_arg == 1 && !(compat_arg1(regs) & O_CREAT))
			flags &= ~(SF_SYS_SUCCESS | SF_SYS_CREAT);
		else if (sys->flags_arg == 2 && !(compat_arg2(regs) & O_CREAT))
			flags &= ~(SF_SYS_SUCCESS | SF_SYS_CREAT);
	}
	return flags;
}

/* The few: which call it was, in full. */
static __always_inline int call_matters(struct task_struct *task, struct pt_regs *regs, long ret,
					bool is32, int mode, u32 entry, u32 flags)
{
	u32 raw = compat_raw_nr(regs);
	struct call call;

	/* rt_sigreturn wipes the number and brings back the interrupted call's result. */
	if (raw == NO_SYSCALL)
		return 0;
	/* On its way out, killed by its filter; the result was rolled back (SECCOMP_MODE_DEAD, 5.17). */
	if (mode == SECCOMP_MODE_DEAD)
		return 0;
	if (entry == SF_DENIED && compat_rolled_back(task, regs, ret))
		return 0;
	call.abi = compat_abi(raw, is32);
	call.table = is32 ? SF_ABI_COMPAT : SF_ABI_NATIVE;
	call.nr = compat_nr(raw);
	call.entry = entry;
	call.flags = flags;
	call.filtered = mode == SECCOMP_MODE_FILTER;
	if (ret < 0)
		return call_failed(task, regs, &call, ret);
	return call_succeeded(task, regs, &call, ret);
}

/*
 * True: the call may have gone through a tool's channel, and its program is to look at it. Called as
 * the last thing, it never comes back.
 */
static __always_inline bool syscall_left(struct task_struct *task, struct pt_regs *regs, long ret)
{
	bool is32 = compat_is_32bit(task, regs), channel = false;
	int mode = TASK_READ(task, seccomp.mode);
	u32 nr, entry = SF_ENTERED, flags = 0;
	const volatile struct sf_sys *sys;

	if (mode == SECCOMP_MODE_FILTER)
		entry = marker_take(task, regs);
	if (ret >= 0 || ret < -MAX_ERRNO) {
		nr = compat_nr(compat_raw_nr(regs));
		if (nr >= SF_NR_MAX || ret < 0)
			return false;
		sys = &config.sys[is32][nr];
		flags = call_flags(sys, regs, ret, is32);
		if (config.channels && sys->flags & SF_SYS_CHANNEL &&
		    (entry == SF_ENTERED || entry == SF_UNKNOWN))
			channel = channel_may_be(task, (u32)compat_arg0(regs, is32));
		if (!flags)
			return channel;
	} else if (config.channels) {
		channel = channel_may_be_refused(ret);
	}
	call_matters(task, regs, ret, is32, mode, entry, flags);
	return channel;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(handle_sys_exit, struct pt_regs *regs, long ret)
{
	if (syscall_left(compat_current(), regs, ret) && config.channels)
		bpf_tail_call(ctx, &channel_programs, 0);
	return 0;
}

SEC("?tp/raw_syscalls/sys_exit")
int handle_sys_exit_held(struct trace_event_raw_sys_exit *ctx)
{
	struct task_struct *task = compat_current();

	if (syscall_left(task, compat_regs(task), ctx->ret) && config.channels)
		bpf_tail_call(ctx, &channel_programs, 0);
	return 0;
}
