/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The OOM killer's choice, and the cgroup at its limit that made it choose.
 *
 * mark_victim had a pid before it had the task (72ba14deb40a in 6.9, and in stable kernels from 5.4
 * on): there are two programs, and user space loads the one that fits the prototype in BTF.
 */
#include "emit.bpf.h"

#define OOM_DEPTH 16
#define OOM_BATCH 64 /* pages that a CPU charges at once (MEMCG_CHARGE_BATCH) */

/* LONG_MAX in pages, rounded: PAGE_COUNTER_MAX */
#define PAGES_UNLIMITED (0x7fffffffffffffffULL / 4096 - 4096)

static __always_inline u64 oom_bytes(u64 pages)
{
	return pages >= PAGES_UNLIMITED ? ~0ULL : pages * config.page_size;
}

static __always_inline struct mem_cgroup *oom_memcg(struct task_struct *task)
{
	struct css_set *set = BPF_CORE_READ(task, cgroups);
	struct cgroup_subsys_state *css = NULL;
	u32 id;

	if (!bpf_core_enum_value_exists(enum cgroup_subsys_id, memory_cgrp_id))
		return NULL;
	id = bpf_core_enum_value(enum cgroup_subsys_id, memory_cgrp_id);
	bpf_core_read(&css, sizeof(css), &set->subsys[id & 15]);
	if (!css)
		return NULL;
	return (void *)css - bpf_core_field_offset(struct mem_cgroup, css);
}

/*
 * From the victim's own memory cgroup upwards, the one that is closest to its limit. Each CPU keeps a
 * batch of charges that it hands back before somebody is killed (drain_all_stock(), mm/memcontrol.c):
 * the one that was full may stand that much below its limit by now.
 */
static __always_inline void oom_owner(struct sf_ev_oom *ev, struct task_struct *task)
{
	struct mem_cgroup *memcg = oom_memcg(task), *owner = NULL;
	u64 usage, max, slack, least = (u64)config.cpus * OOM_BATCH + 1;
	struct page_counter *up;
	u32 i;

	ev->limit = ~0ULL;
	ev->swap_limit = ~0ULL;
	for (i = 0; i < OOM_DEPTH && memcg; i++) {
		usage = BPF_CORE_READ(memcg, memory.usage.counter);
		max = BPF_CORE_READ(memcg, memory.max);
		slack = usage < max ? max - usage : 0;
		if (slack < least) {
			least = slack;
			owner = memcg;
			ev->usage = oom_bytes(usage);
			ev->limit = oom_bytes(max);
			ev->depth = i;
		}
		up = BPF_CORE_READ(memcg, memory.parent);
		if (!up)
			break;
		memcg = (void *)up - bpf_core_field_offset(struct mem_cgroup, memory);
	}
	if (!owner)
		return;
	ev->swap_limit = oom_bytes(BPF_CORE_READ(owner, swap.max));
	ev->owner = cgroup_names(BPF_CORE_READ(owner, css.cgroup), ev->names, &ev->nnames);
}

static __always_inline void oom_emit(struct sf_scratch *s)
{
	struct task_struct *task = (void *)s->task;
	struct sf_ev_oom *ev = &s->oom;

	__builtin_memset(ev, 0, sizeof(*ev));
	actor_fill(s->slot);
	oom_owner(ev, task);
	ev->victim_rss = compat_mm_rss(BPF_CORE_READ(task, mm)) * config.page_size;
	rare_emit(s->slot, SF_EV_OOM, sizeof(*ev));
}

SEC("tp_btf/mark_victim")
int BPF_PROG(handle_mark_victim, struct task_struct *task, uid_t uid)
{
	u64 cgroup, instance = task_instance(task, &cgroup);
	struct sf_scratch *s;

	if (!instance)
		return 0;
	counter_add(SF_C_OOM);
	s = scratch_for(task, instance, cgroup);
	if (!s)
		return 0;
	oom_emit(s);
	scratch_put(s);
	return 0;
}

/*
 * Only the victim's number. The task itself was seen a moment before, in this thread:
 * __oom_kill_process() in mm/oom_kill.c sends SIGKILL, then marks, and holds a reference meanwhile.
 * A task that is dying already and asks for memory is marked without a signal: it is the current one.
 */
static __always_inline struct task_struct *victim_of(struct task_struct *current, int pid)
{
	struct sf_thread *thread = thread_get(current, false);
	struct task_struct *killed = thread ? (void *)thread->killed : NULL;

	if (killed && BPF_CORE_READ(killed, pid) == pid)
		return killed;
	return BPF_CORE_READ(current, pid) == pid ? current : NULL;
}

SEC("tp_btf/mark_victim")
int BPF_PROG(handle_mark_victim_pid, int pid)
{
	struct task_struct *victim = victim_of(compat_current(), pid);
	u64 cgroup, instance;
	struct sf_scratch *s;

	if (!victim) /* not one of ours, else the signal would have been noted */
		return 0;
	cgroup = BPF_CORE_READ(victim, cgroups, dfl_cgrp, kn, id);
	instance = process_instance(BPF_CORE_READ(victim, tgid), cgroup);
	if (!instance)
		return 0;
	counter_add(SF_C_OOM);
	s = scratch_about((u64)victim, instance, cgroup);
	if (!s)
		return 0;
	oom_emit(s);
	scratch_put(s);
	return 0;
}
