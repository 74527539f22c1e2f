/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPU quotas: kernel/sched/fair.c throttles a task's group where it, or one above it, has used up
 * its quota of the period. v1 and v2 keep the numbers in the same place.
 */
#ifndef SANDFAULT_CPU_BPF_H
#define SANDFAULT_CPU_BPF_H

#include "emit.bpf.h"

#define CPU_DEPTH 8

/* Of the task's group and those above it the one that was throttled longest; NULL: none was. */
static __always_inline struct task_group *cpu_throttled_group(struct task_struct *task, u64 *ns)
{
	struct task_group *group = NULL, *worst = NULL;
	u64 time;
	u32 i;

	*ns = 0;
	if (!bpf_core_field_exists(task->sched_task_group) ||
	    !bpf_core_field_exists(group->cfs_bandwidth))
		return NULL;
	group = BPF_CORE_READ(task, sched_task_group);
	for (i = 0; i < CPU_DEPTH && group; i++) {
		time = BPF_CORE_READ(group, cfs_bandwidth.throttled_time);
		if (time > *ns) {
			*ns = time;
			worst = group;
		}
		group = BPF_CORE_READ(group, parent);
	}
	return worst;
}

static __always_inline u64 cpu_throttled_ns(struct task_struct *task)
{
	u64 ns;

	cpu_throttled_group(task, &ns);
	return ns;
}

#endif
