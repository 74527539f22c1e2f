/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a process may do and how much it may use, at the moment of failure: credentials and the
 * directory that a path starts from, rlimits, and the pids cgroup with the least room.
 */
#include "emit.bpf.h"

#define CGROUP_DEPTH   16
#define USERNS_DEPTH   8
#define PIDS_UNLIMITED 4194304 /* PID_MAX_LIMIT: pids.max "max" is one more */

/* ---- credentials ---- */

static __always_inline void creds_base(struct sf_creds *c, struct dentry *dentry,
				       struct vfsmount *mnt)
{
	struct inode *inode = BPF_CORE_READ(dentry, d_inode);
	struct super_block *sb = BPF_CORE_READ(dentry, d_sb);

	c->base_ino = BPF_CORE_READ(inode, i_ino);
	c->base_mode = BPF_CORE_READ(inode, i_mode);
	c->base_uid = BPF_CORE_READ(inode, i_uid.val);
	c->base_gid = BPF_CORE_READ(inode, i_gid.val);
	c->base_dev = BPF_CORE_READ(sb, s_dev);
	c->base_sb_flags = BPF_CORE_READ(sb, s_flags);
	c->base_magic = BPF_CORE_READ(sb, s_magic);
	c->base_mnt_flags = BPF_CORE_READ(mnt, mnt_flags);
}

int creds_fill(u32 slot)
{
	struct sf_scratch *s = scratch_at(slot);
	struct group_info *groups;
	struct task_struct *task;
	const struct cred *cred;
	struct sf_creds *c;
	u32 n;

	if (!s)
		return 0;
	task = (void *)s->task;
	c = &s->bell.head.creds;
	cred = BPF_CORE_READ(task, cred);
	c->fsuid = BPF_CORE_READ(cred, fsuid.val);
	c->fsgid = BPF_CORE_READ(cred, fsgid.val);
	c->euid = BPF_CORE_READ(cred, euid.val);
	bpf_core_read(&c->cap_effective, sizeof(c->cap_effective), &cred->cap_effective);
	c->userns_level = BPF_CORE_READ(cred, user_ns, level);
	c->userns_owner_uid = BPF_CORE_READ(cred, user_ns, owner.val);
	groups = BPF_CORE_READ(cred, group_info);
	c->ngroups = BPF_CORE_READ(groups, ngroups);
	n = c->ngroups;
	if (n > SF_GROUPS)
		n = SF_GROUPS;
	barrier_var(n);
	n *= sizeof(u32);
	if (n && n <= sizeof(c->groups))
		bpf_core_read(c->groups, n, &groups->gid);
	if (s->from_dentry)
		creds_base(c, (void *)s->from_dentry, (void *)s->from_mnt);
	c->valid = 1;
	return 0;
}

/* ---- limits ---- */

static __always_inline u64 rlimit_soft(struct signal_struct *signal, u32 which)
{
	struct rlimit *rlim =
		(void *)&signal->rlim + which * (u64)bpf_core_type_size(struct rlimit);

	return BPF_CORE_READ(rlim, rlim_cur);
}

/*
 * The pids cgroup that refused is one at its limit, the task's own or one above it. By now another
 * process may have gone, so the one with the least room is named.
 */
static __always_inline void limits_pids(struct sf_limits *l, struct task_struct *task)
{
	struct css_set *set = BPF_CORE_READ(task, cgroups);
	struct cgroup_subsys_state *css = NULL, *least = NULL;
	s64 count, limit, room = 0;
	u32 id, i;

	if (!bpf_core_enum_value_exists(enum cgroup_subsys_id, pids_cgrp_id))
		return;
	id = bpf_core_enum_value(enum cgroup_subsys_id, pids_cgrp_id);
	bpf_core_read(&css, sizeof(css), &set->subsys[id & 15]);
	for (i = 0; i < CGROUP_DEPTH && css; i++) {
		struct pids_cgroup *pids;

		pids = (void *)css - bpf_core_field_offset(struct pids_cgroup, css);
		count = BPF_CORE_READ(pids, counter.counter);
		limit = BPF_CORE_READ(pids, limit.counter);
		if (limit <= PIDS_UNLIMITED && (!least || limit - count < room)) {
			least = css;
			room = limit - count;
			l->pids_count = count;
			l->pids_limit = limit;
			l->pids_depth = i;
		}
		css = BPF_CORE_READ(css, parent);
	}
	if (!least)
		return;
	l->pids_cgroup = BPF_CORE_READ(least, cgroup, kn, id);
	bpf_probe_read_kernel_str(l->pids_name, sizeof(l->pids_name),
				  BPF_CORE_READ(least, cgroup, kn, name));
	l->valid |= SF_LIM_PIDS;
}

/*
 * A user counts in every user namespace above the task's, each with the limit that its maker had
 * (is_rlimit_overlimit(), kernel/ucount.c): the one with the least room refused.
 */
static __always_inline void limits_nproc(struct sf_limits *l, const struct cred *cred)
{
	struct ucounts *counts;
	s64 limit = l->rlim_nproc, room = 0, n;
	struct user_namespace *ns;
	u32 i;

	if (!bpf_core_field_exists(struct cred, ucounts) ||
	    !bpf_core_field_exists(struct ucounts, rlimit)) {
		l->nproc = compat_nproc(cred);
		return;
	}
	counts = BPF_CORE_READ(cred, ucounts);
	for (i = 0; i < USERNS_DEPTH && counts; i++) {
		bpf_core_read(&n, sizeof(n),
			      &counts->rlimit); /* UCOUNT_RLIMIT_NPROC is the first */
		if (i == 0 || (limit >= 0 && (room < 0 || limit - n < room))) {
			room = limit - n;
			l->nproc = n;
			l->rlim_nproc = limit;
			if (limit < 0)
				room = -1; /* RLIM_INFINITY: any other is less */
		}
		ns = BPF_CORE_READ(counts, ns);
		bpf_core_read(&limit, sizeof(limit), &ns->rlimit_max);
		counts = BPF_CORE_READ(ns, ucounts);
	}
}

int limits_fill(u32 slot)
{
	struct sf_scratch *s = scratch_at(slot);
	struct signal_struct *signal;
	struct task_struct *task;
	struct mm_struct *mm;
	struct sf_limits *l;

	if (!s)
		return 0;
	task = (void *)s->task;
	l = &s->bell.head.limits;
	signal = BPF_CORE_READ(task, signal);
	l->rlim_as = rlimit_soft(signal, RLIMIT_AS);
	l->rlim_nofile = rlimit_soft(signal, RLIMIT_NOFILE);
	l->rlim_fsize = rlimit_soft(signal, RLIMIT_FSIZE);
	l->rlim_nproc = rlimit_soft(signal, RLIMIT_NPROC);
	l->rlim_memlock = rlimit_soft(signal, RLIMIT_MEMLOCK);
	l->rlim_data = rlimit_soft(signal, RLIMIT_DATA);
	limits_nproc(l, BPF_CORE_READ(task, cred));
	l->valid |= SF_LIM_RLIMITS | SF_LIM_NPROC;
	mm = BPF_CORE_READ(task, mm);
	if (mm) {
		l->total_vm = BPF_CORE_READ(mm, total_vm) * config.page_size;
		l->locked_vm = BPF_CORE_READ(mm, locked_vm) * config.page_size;
		l->data_vm = BPF_CORE_READ(mm, data_vm) * config.page_size;
		l->map_count = BPF_CORE_READ(mm, map_count);
		l->map_limit = config.max_map_count;
		l->valid |= SF_LIM_MM;
	}
	limits_pids(l, task);
	return 0;
}
