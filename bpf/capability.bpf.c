/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Capability checks that failed, kept with the thread until its syscall fails. Optional: by the
 * tracepoint (6.14), else on the way out of the function behind it, else by a pair of probes.
 */
#include "thread.bpf.h"

static __always_inline void capability_failed(struct sf_thread *thread, struct task_struct *task,
					      struct user_namespace *target, u32 cap)
{
	struct pt_regs *regs = compat_regs(task);
	u32 nr = compat_nr(compat_raw_nr(regs));

	counter_add(SF_C_CAP);
	thread->cap_mask |= 1ULL << (cap & 63);
	thread->cap_refused = 1;
	thread->cap_ns_level = BPF_CORE_READ(target, level);
	if (!send_refused && nr < SF_NR_MAX &&
	    config.sys[compat_is_32bit(task, regs)][nr].flags & SF_SYS_REPLY)
		send_refused = 1;
}

static __always_inline int capability_checked(struct user_namespace *target, u32 cap, int ret)
{
	struct task_struct *task = compat_current();
	struct sf_thread *thread;

	if (ret >= 0)
		return 0;
	thread = thread_in_call(task);
	if (thread)
		capability_failed(thread, task, target, cap);
	return 0;
}

SEC("tp_btf/cap_capable")
int BPF_PROG(handle_cap_capable, const struct cred *cred, struct user_namespace *target,
	     const struct user_namespace *capable_ns, int cap, int ret)
{
	return capability_checked(target, cap, ret);
}

SEC("?fexit/cap_capable")
int BPF_PROG(handle_cap_capable_exit, const struct cred *cred, struct user_namespace *target,
	     int cap, unsigned int opts, int ret)
{
	return capability_checked(target, cap, ret);
}

/* ---- without trampolines: the arguments are kept from the way in to the way out ---- */

/* The check itself asks for nothing that would check again, so one place per thread is enough. */
SEC("?kprobe/cap_capable")
int handle_cap_capable_enter(struct pt_regs *ctx)
{
	struct sf_thread *thread = thread_in_call(compat_current());

	if (!thread)
		return 0;
	thread->cap_target = compat_arg1(ctx);
	thread->cap = compat_arg2(ctx) & 63;
	return 0;
}

SEC("?kretprobe/cap_capable")
int handle_cap_capable_return(struct pt_regs *ctx)
{
	struct task_struct *task = compat_current();
	struct sf_thread *thread;

	if ((int)compat_result(ctx) >= 0)
		return 0;
	thread = thread_in_call(task);
	if (thread && thread->cap_target)
		capability_failed(thread, task, (void *)thread->cap_target, thread->cap);
	return 0;
}
