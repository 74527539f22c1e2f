/* SPDX-License-Identifier: GPL-2.0-only */
/* That a process ran below a CPU quota which ran out: told before its exit. */
#include "cpu.bpf.h"

#define LIVED_NS     200000000 /* a shorter life misses no deadline for want of CPU */
#define THROTTLED_NS 50000000

int cpu_emit(u32 slot)
{
	struct sf_scratch *s = scratch_at(slot);
	struct task_group *group;
	struct task_struct *task;
	struct sf_ev_cpu *ev;
	u64 ns;

	if (!s)
		return 0;
	task = (void *)s->task;
	if (s->now - BPF_CORE_READ(task, group_leader, start_boottime) < LIVED_NS)
		return 0;
	group = cpu_throttled_group(task, &ns);
	if (!group || ns < THROTTLED_NS)
		return 0;
	ev = &s->cpu;
	__builtin_memset(ev, 0, sizeof(*ev));
	actor_fill(slot);
	ev->throttled_ns = ns;
	ev->quota_ns = BPF_CORE_READ(group, cfs_bandwidth.quota);
	ev->period_ns = BPF_CORE_READ(group, cfs_bandwidth.period);
	ev->nr_periods = BPF_CORE_READ(group, cfs_bandwidth.nr_periods);
	ev->nr_throttled = BPF_CORE_READ(group, cfs_bandwidth.nr_throttled);
	ev->owner = cgroup_names(BPF_CORE_READ(group, css.cgroup), ev->names, &ev->nnames);
	counter_add(SF_C_CPU);
	rare_emit(slot, SF_EV_CPU, sizeof(*ev));
	return 0;
}
