/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a syscall and what does the same without being one have in common: the table's word on an
 * errno, and a scratch slot that describes the call.
 */
#ifndef SANDFAULT_CALL_BPF_H
#define SANDFAULT_CALL_BPF_H

#include "thread.bpf.h"

#define MAX_ERRNO   4095
#define ERESTARTSYS 512 /* from here on errnos never reach user space */
#define O_CREAT	    0100

static __always_inline bool call_is_benign(const volatile struct sf_sys *sys, u32 err)
{
	u32 i;

#pragma unroll
	for (i = 0; i < SF_BENIGN; i++)
		if (sys->benign[i] == err)
			return true;
	return false;
}

static __always_inline void call_count_benign(u64 id)
{
	struct sf_instance *instance = bpf_map_lookup_elem(&instances, &id);

	counter_add(SF_C_BENIGN);
	if (!instance) {
		counter_add(SF_C_LOST_INSTANCE);
		return;
	}
	__sync_fetch_and_add(&instance->benign, 1);
}

/* A slot without a subject yet, and a key without what kind of call it was. */
static __always_inline struct sf_scratch *call_slot(struct task_struct *task, u64 instance,
						    u64 cgroup, long ret)
{
	struct sf_scratch *s = scratch_get();

	if (!s)
		return NULL;
	s->now = bpf_ktime_get_boot_ns();
	s->task = (u64)task;
	s->instance = instance;
	s->cgroup = cgroup;
	s->ret = ret;
	s->marked = 0;
	s->hash = 0;
	s->text_len = 0;
	s->text_kind = SF_TEXT_NONE;
	s->text_cut = 0;
	s->late_fd = 0;
	s->from_dentry = 0;
	s->walk_inside = 0;
	s->key.instance = instance;
	s->key.start_ns = TASK_READ(task, group_leader, start_boottime);
	s->key.tgid = TASK_READ(task, tgid);
	s->key.err = ret < 0 ? -ret : 0;
	s->key.coarse = 0;
	s->key.hash = 0;
	return s;
}

/* As done by the current task through something else than a syscall, as the table describes `nr`;
 * all arguments are 0. `nr` is below SF_NR_MAX. */
static __always_inline struct sf_scratch *noncall_slot(struct task_struct *task, u64 instance,
						       u64 cgroup, u32 nr, u32 err, u32 entry)
{
	struct sf_scratch *s = call_slot(task, instance, cgroup, -(long)err);

	if (!s || nr >= SF_NR_MAX)
		return s;
	s->sys = *(const struct sf_sys *)&config.sys[SF_ABI_NATIVE][nr];
	s->key.nr = nr;
	s->key.abi = SF_ABI_NATIVE;
	s->key.entry = entry;
	__builtin_memset(s->args, 0, sizeof(s->args));
	return s;
}

static __always_inline void call_fold(struct sf_scratch *s)
{
	subject_read(s->slot);
	s->key.hash = s->hash;
	signature_fold(s->slot);
}

#endif
