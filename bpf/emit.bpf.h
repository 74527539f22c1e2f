/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The small tools of every program: counters, scratch slots, who a task belongs to.
 */
#ifndef SANDFAULT_EMIT_BPF_H
#define SANDFAULT_EMIT_BPF_H

#include "maps.bpf.h"
#include "compat.bpf.h"

#define STDIN  0
#define STDOUT 1
#define STDERR 2

static __always_inline void counter_sum(u32 which, u64 by)
{
	u64 *n = bpf_map_lookup_elem(&counters, &which);

	/* Atomic although per CPU: a program may interrupt another one on the same CPU. */
	if (n)
		__sync_fetch_and_add(n, by);
}

static __always_inline void counter_add(u32 which)
{
	counter_sum(which, 1);
}

/*
 * Adds to a total that several threads add to, and returns what it was: the place of what is added.
 * Where there is no fetch-and-add (before 5.12) two at the same moment may be given one place; the
 * total stays exact.
 */
static __always_inline u64 total_reserve(u64 *total, u64 by)
{
	u64 old;

	if (config.has_fetch)
		return __sync_fetch_and_add(total, by);
	old = *total;
	__sync_fetch_and_add(total, by);
	return old;
}

/* ---- hashes ---- */

#define HASH_SEED  0xcbf29ce484222325ULL
#define HASH_PRIME 0x9e3779b97f4a7c15ULL

static __always_inline u64 hash_mix(u64 h, u64 x)
{
	h = (h ^ x) * HASH_PRIME;
	return h ^ h >> 32;
}

/* ---- scratch ---- */

static __always_inline struct sf_scratch *scratch_at(u32 slot)
{
	return bpf_map_lookup_elem(&scratches, &slot);
}

/*
 * 5.12 brought the instructions that compare and swap, or fetch (5ffa25502b5a). Before, a plain test
 * and set does: the slots are the CPU's own, tracepoints ran with preemption off (until 6.13), and
 * an interrupt between test and set has given back what it took before we go on.
 */
static __always_inline bool scratch_take(struct sf_scratch *s)
{
	if (config.has_fetch)
		return __sync_val_compare_and_swap(&s->busy, 0, 1) == 0;
	if (*(volatile u32 *)&s->busy)
		return false;
	*(volatile u32 *)&s->busy = 1;
	barrier();
	return true;
}

static __always_inline struct sf_scratch *scratch_get(void)
{
	struct sf_scratch *s;
	u32 i;

#pragma unroll
	for (i = 0; i < SF_SLOTS; i++) {
		s = scratch_at(i);
		if (s && scratch_take(s)) {
			s->slot = i;
			return s;
		}
	}
	counter_add(SF_C_LOST_SCRATCH);
	return NULL;
}

/* A plain store will do: the slot is this CPU's own. */
static __always_inline void scratch_put(struct sf_scratch *s)
{
	barrier();
	*(volatile u32 *)&s->busy = 0;
}

/* ---- whose task is it ---- */

static __always_inline u64 task_cgroup_id(struct task_struct *task)
{
	return TASK_READ(task, cgroups, dfl_cgrp, kn, id);
}

/* The instance of a v2 cgroup; 0: not tracked, or not recorded. */
static __always_inline u64 cgroup_instance(u64 id)
{
	struct sf_cgroup *entry = bpf_map_lookup_elem(&cgroups, &id);

	if (!entry || entry->flags & SF_CG_IGNORE)
		return 0;
	return entry->instance;
}

/* The instance of a process in a cgroup; 0: not tracked. A scope goes before the cgroup that it
 * lies in. */
static __always_inline u64 process_instance(u32 tgid, u64 cgroup)
{
	u64 *instance;

	if (tgid == config.self_tgid)
		return 0;
	if (scoped_count) {
		instance = bpf_map_lookup_elem(&scoped, &tgid);
		if (instance)
			return *instance;
	}
	return cgroup_instance(cgroup);
}

/* The instance of a task; 0: not tracked. */
static __always_inline u64 task_instance(struct task_struct *task, u64 *cgroup)
{
	*cgroup = task_cgroup_id(task);
	return process_instance(TASK_READ(task, tgid), *cgroup);
}

/* ---- what is kept with a thread ---- */

/* Task storage: of tracing programs since 5.13 (a10787e6d58c, which brought the field). */
static __always_inline bool thread_has_storage(void)
{
	return bpf_core_field_exists(struct task_struct, bpf_storage);
}

static __always_inline struct sf_thread *thread_by_tid(u32 tid, bool create)
{
	static const struct sf_thread empty = {};
	struct sf_thread *thread = bpf_map_lookup_elem(&thread_table, &tid);

	if (thread || !create)
		return thread;
	bpf_map_update_elem(&thread_table, &tid, &empty, BPF_NOEXIST);
	return bpf_map_lookup_elem(&thread_table, &tid);
}

/* What is kept with a thread; NULL: nothing, or, with `create`, no room. `task` is the current one
 * or a tracepoint's. */
static __always_inline struct sf_thread *thread_get(struct task_struct *task, bool create)
{
	if (thread_has_storage())
		return bpf_task_storage_get(&threads, task, NULL,
					    create ? BPF_LOCAL_STORAGE_GET_F_CREATE : 0);
	return thread_by_tid(TASK_READ(task, pid), create);
}

/* A thread that executes a program takes the number of its group's leader. */
static __always_inline void thread_renamed(struct task_struct *task, u32 old)
{
	u32 tid = task->pid;
	struct sf_thread *from, *to;

	if (thread_has_storage() || old == tid)
		return;
	from = thread_by_tid(old, false);
	if (!from)
		return;
	to = thread_by_tid(tid, true);
	if (to)
		*to = *from;
	else
		counter_add(SF_C_LOST_THREAD);
	bpf_map_delete_elem(&thread_table, &old);
}

/* At its end; task storage goes with the task. */
static __always_inline void thread_forget(struct task_struct *task)
{
	u32 tid = task->pid;

	if (!thread_has_storage())
		bpf_map_delete_elem(&thread_table, &tid);
}

/* What was observed of a thread: SF_ST_LANDLOCK, SF_ST_MDWE. */
static __always_inline u32 thread_state(struct task_struct *task)
{
	struct sf_thread *thread = thread_get(task, false);

	return thread ? thread->state : 0;
}

/* What one of the current task's descriptors stands for; NULL: nothing. */
static __always_inline struct file *task_file(struct task_struct *task, u32 fd)
{
	struct fdtable *fdt = TASK_READ(task, files, fdt);
	struct file *file = NULL;

	if (fd < TASK_READ(fdt, max_fds))
		bpf_probe_read_kernel(&file, sizeof(file), TASK_READ(fdt, fd) + fd);
	return file;
}

/* The eight deepest components of its path; its id. */
static __always_inline u64 cgroup_names(struct cgroup *cgroup, char names[][SF_CG_NAME], u32 *n)
{
	struct kernfs_node *kn = BPF_CORE_READ(cgroup, kn), *up;
	u64 id = BPF_CORE_READ(kn, id);
	u32 i;

	for (i = 0; i < SF_CG_NAMES; i++) {
		up = compat_kernfs_parent(kn);
		if (!up)
			break;
		bpf_probe_read_kernel_str(names[i], SF_CG_NAME, BPF_CORE_READ(kn, name));
		*n = i + 1;
		kn = up;
	}
	return id;
}

/* A scratch slot for a rare event about the task at that address. */
static __always_inline struct sf_scratch *scratch_about(u64 task, u64 instance, u64 cgroup)
{
	struct sf_scratch *s = scratch_get();

	if (!s)
		return NULL;
	s->task = task;
	s->instance = instance;
	s->cgroup = cgroup;
	s->state = 0;
	s->now = bpf_ktime_get_boot_ns();
	return s;
}

/* A scratch slot for a rare event about `task`. */
static __always_inline struct sf_scratch *scratch_for(struct task_struct *task, u64 instance,
						      u64 cgroup)
{
	struct sf_scratch *s = scratch_about((u64)task, instance, cgroup);

	if (s)
		s->state = thread_state(task);
	return s;
}

#endif
