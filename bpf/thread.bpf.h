/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happened inside of the call that a thread stands in: failed capability checks, the hook that
 * refused, the file inside an exec that failed. Joined when the call itself fails.
 */
#ifndef SANDFAULT_THREAD_BPF_H
#define SANDFAULT_THREAD_BPF_H

#include "emit.bpf.h"

/* Is this the call that the record speaks of? */
static __always_inline bool thread_is_at(const struct sf_thread *thread, struct pt_regs *regs)
{
	u64 call[6];
	u32 i;

	compat_call(call, regs);
	for (i = 0; i < 6; i++)
		if (thread->call[i] != call[i])
			return false;
	return true;
}

/* From here on the record speaks of this call, and of no earlier one. */
static __always_inline void thread_set_call(struct sf_thread *thread, struct pt_regs *regs)
{
	if (thread_is_at(thread, regs))
		return;
	compat_call(thread->call, regs);
	thread->cap_mask = 0;
	thread->cap_refused = 0;
	thread->inner = 0;
	thread->hook = SF_HOOK_NONE;
}

/* The record of the current thread for the call that it stands in; NULL: it is not recorded. */
static __always_inline struct sf_thread *thread_in_call(struct task_struct *task)
{
	struct sf_thread *thread;
	u64 cgroup;

	if (TASK_READ(task, flags) & (PF_KTHREAD | PF_IO_WORKER) || !task_instance(task, &cgroup))
		return NULL;
	thread = thread_get(task, true);
	if (!thread) {
		counter_add(SF_C_LOST_THREAD);
		return NULL;
	}
	thread_set_call(thread, compat_regs(task));
	return thread;
}

#endif
