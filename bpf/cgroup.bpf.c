/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cgroups below a tracked one, and those that a tracked process makes elsewhere, are tracked from
 * the moment they are made, before their first process can run. Version 2 only: ids of version 1
 * hierarchies collide with them.
 */
#include "emit.bpf.h"

static __always_inline bool cgroup_is_v2(struct cgroup *cgroup)
{
	return cgroup->root->hierarchy_id == 0;
}

/* By way of the css: kernfs_node.parent was renamed and is under RCU now. */
static __always_inline u64 cgroup_parent_id(struct cgroup *cgroup)
{
	struct cgroup_subsys_state *parent = cgroup->self.parent;

	return parent ? parent->cgroup->kn->id : 0;
}

static __always_inline void cgroup_emit(struct sf_scratch *s, struct cgroup *cgroup,
					const char *path, u32 what, u64 instance)
{
	struct sf_ev_cgroup *ev = &s->cgroup_ev.head;
	u32 len = 0;
	long n;

	ev->id = cgroup->kn->id;
	ev->parent = cgroup_parent_id(cgroup);
	ev->instance = instance;
	ev->what = what;
	ev->level = cgroup->level;
	n = bpf_probe_read_kernel_str(s->cgroup_ev.data, SF_PATH, path);
	if (n > 0)
		len = n - 1;
	ev->path_len = len;
	counter_add(SF_C_CGROUP);
	s->instance = instance; /* whose loss it is if the ring is full */
	rare_emit(s->slot, SF_EV_CGROUP, sizeof(*ev) + len);
}

/* An instance of its own, for whoever claims the cgroup later. A plain increment: cgroups are made
 * one at a time, and told of under cgroup_mutex (cgroup_mkdir() in kernel/cgroup/cgroup.c). */
static __always_inline u64 cgroup_new_instance(void)
{
	static const struct sf_instance empty = {};
	u64 instance = SF_INSTANCE_KERNEL | next_instance++;

	if (bpf_map_update_elem(&instances, &instance, &empty, BPF_NOEXIST))
		counter_add(SF_C_LOST_INSTANCE);
	return instance;
}

SEC("tp_btf/cgroup_mkdir")
int BPF_PROG(handle_cgroup_mkdir, struct cgroup *cgroup, const char *path)
{
	struct task_struct *current = compat_current();
	struct sf_cgroup *parent, entry = {};
	u64 id, parent_id, doer, doer_cgroup;
	struct sf_scratch *s;

	if (!cgroup_is_v2(cgroup))
		return 0;
	parent_id = cgroup_parent_id(cgroup);
	parent = bpf_map_lookup_elem(&cgroups, &parent_id);
	doer = task_instance(current, &doer_cgroup);
	if (parent)
		entry = *parent;
	else if (doer)
		entry.instance =
			doer; /* a container of the task's own: runc makes it from the root on */
	else
		return 0;
	id = cgroup->kn->id;
	if (entry.flags & SF_CG_ROOT)
		entry.instance = cgroup_new_instance();
	if (bpf_map_update_elem(&cgroups, &id, &entry, BPF_ANY))
		counter_add(SF_C_LOST_CGROUP);
	s = scratch_for(current, doer, doer_cgroup);
	if (!s)
		return 0;
	actor_fill(s->slot);
	cgroup_emit(s, cgroup, path, SF_CG_MKDIR, entry.instance);
	scratch_put(s);
	return 0;
}

SEC("tp_btf/cgroup_rmdir")
int BPF_PROG(handle_cgroup_rmdir, struct cgroup *cgroup, const char *path)
{
	struct task_struct *current = compat_current();
	struct sf_cgroup *entry;
	u64 id, doer, doer_cgroup;
	struct sf_scratch *s;

	if (!cgroup_is_v2(cgroup))
		return 0;
	id = cgroup->kn->id;
	entry = bpf_map_lookup_elem(&cgroups, &id);
	if (!entry)
		return 0;
	doer = task_instance(current, &doer_cgroup);
	s = scratch_for(current, doer, doer_cgroup);
	if (!s)
		return 0;
	actor_fill(s->slot);
	cgroup_emit(s, cgroup, path, SF_CG_RMDIR, entry->instance);
	scratch_put(s);
	return 0;
}

/* The last that is heard of a cgroup, from a kworker: no process can be in it any more. */
SEC("tp_btf/cgroup_release")
int BPF_PROG(handle_cgroup_release, struct cgroup *cgroup, const char *path)
{
	struct sf_cgroup *entry;
	struct sf_scratch *s;
	u64 id;

	if (!cgroup_is_v2(cgroup))
		return 0;
	id = cgroup->kn->id;
	entry = bpf_map_lookup_elem(&cgroups, &id);
	if (!entry)
		return 0;
	s = scratch_for(compat_current(), entry->instance, id);
	if (s) {
		__builtin_memset(&s->cgroup_ev.head, 0, sizeof(s->cgroup_ev.head));
		s->hdr.ts = s->now;
		cgroup_emit(s, cgroup, path, SF_CG_RELEASE, entry->instance);
		scratch_put(s);
	}
	bpf_map_delete_elem(&cgroups, &id);
	return 0;
}

SEC("tp_btf/cgroup_attach_task")
int BPF_PROG(handle_cgroup_attach_task, struct cgroup *cgroup, const char *path,
	     struct task_struct *task, bool threadgroup)
{
	struct sf_cgroup *entry;
	struct sf_scratch *s;
	u64 id;

	if (!cgroup_is_v2(cgroup))
		return 0;
	id = cgroup->kn->id;
	entry = bpf_map_lookup_elem(&cgroups, &id);
	if (!entry)
		return 0;
	s = scratch_for(task, entry->instance, id);
	if (!s)
		return 0;
	actor_fill(s->slot);
	cgroup_emit(s, cgroup, path, SF_CG_ATTACH, entry->instance);
	scratch_put(s);
	return 0;
}
