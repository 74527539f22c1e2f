/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What fails as a syscall does, and is none: an open inside of an exec, a request of io_uring. Folded
 * under the number of the call that would have done the same.
 */
#ifndef SANDFAULT_NONCALL_BPF_H
#define SANDFAULT_NONCALL_BPF_H

#include "thread.bpf.h"

/* A scratch slot that describes it as done by the current task, as the table describes `nr`; all
 * arguments are 0. NULL: it is not recorded. */
static __always_inline struct sf_scratch *noncall_scratch(struct task_struct *task, u32 nr, u32 err,
							  u32 entry)
{
	struct sf_scratch *s;
	u64 cgroup, instance;

	instance = task_instance(task, &cgroup);
	if (!instance || nr >= SF_NR_MAX)
		return NULL;
	s = scratch_get();
	if (!s)
		return NULL;
	s->now = bpf_ktime_get_boot_ns();
	s->task = (u64)task;
	s->instance = instance;
	s->cgroup = cgroup;
	s->ret = -(s64)err;
	s->marked = 0;
	s->hash = 0;
	s->text_len = 0;
	s->text_kind = SF_TEXT_NONE;
	s->text_cut = 0;
	s->late_fd = 0;
	s->from_dentry = 0;
	s->sys = *(const struct sf_sys *)&config.sys[SF_ABI_NATIVE][nr];
	s->key.instance = instance;
	s->key.start_ns = TASK_READ(task, group_leader, start_boottime);
	s->key.tgid = TASK_READ(task, tgid);
	s->key.err = err;
	s->key.nr = nr;
	s->key.abi = SF_ABI_NATIVE;
	s->key.entry = entry;
	s->key.coarse = 0;
	s->key.hash = 0;
	__builtin_memset(s->args, 0, sizeof(s->args));
	return s;
}

#endif
