/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The record of a process: made at its first write to fd 2, deleted when the whole thread group is
 * dead.
 */
#ifndef SANDFAULT_PROCESS_BPF_H
#define SANDFAULT_PROCESS_BPF_H

#include "emit.bpf.h"

static const struct sf_process process_empty = {};

static __always_inline struct sf_process *process_get(u32 tgid, u64 start_ns, u64 instance,
						      u64 cgroup)
{
	struct sf_process *p = bpf_map_lookup_elem(&processes, &tgid);

	/* The number was used before, by a process whose end we did not see. */
	if (p && p->start_ns && p->start_ns != start_ns) {
		bpf_map_delete_elem(&processes, &tgid);
		p = NULL;
	}
	if (!p) {
		bpf_map_update_elem(&processes, &tgid, &process_empty, BPF_NOEXIST);
		p = bpf_map_lookup_elem(&processes, &tgid);
		if (!p) {
			counter_add(SF_C_LOST_PROC);
			return NULL;
		}
	}
	p->start_ns = start_ns;
	p->instance = instance;
	p->cgroup = cgroup;
	return p;
}

#endif
