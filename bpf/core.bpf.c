/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who did it (the actor), and the ring of rare events.
 */
#include "emit.bpf.h"

/* ---- actor ---- */

/* True where the task's root is not the one of its mount namespace. The namespace's own root is
 * the rootfs, and what the system calls its root is mounted on top of that: both count. */
static __always_inline bool task_is_chrooted(struct task_struct *task)
{
	struct mount *top = BPF_CORE_READ(task, nsproxy, mnt_ns, root);
	struct vfsmount *mnt = BPF_CORE_READ(task, fs, root.mnt);
	struct mount *mount;

	if (!top || !mnt)
		return false;
	if (BPF_CORE_READ(task, fs, root.dentry) != BPF_CORE_READ(mnt, mnt_root))
		return true;
	mount = (void *)mnt - bpf_core_field_offset(struct mount, mnt);
	if (mount == top)
		return false;
	return BPF_CORE_READ(mount, mnt_parent) != top ||
	       BPF_CORE_READ(mount, mnt_mountpoint) != BPF_CORE_READ(top, mnt.mnt_root);
}

static __always_inline u32 task_state(struct task_struct *task, u32 observed)
{
	struct mm_struct *mm = BPF_CORE_READ(task, mm);
	u32 state = observed;

	if (BPF_CORE_READ(task, seccomp.mode) >= SECCOMP_MODE_FILTER)
		state |= SF_ST_SECCOMP;
	if (BPF_CORE_READ(task, atomic_flags) >> PFA_NO_NEW_PRIVS & 1)
		state |= SF_ST_NNP;
	if (BPF_CORE_READ(task, ptrace))
		state |= SF_ST_PTRACED;
	if (mm && compat_mm_mdwe(mm))
		state |= SF_ST_MDWE;
	if (task_is_chrooted(task))
		state |= SF_ST_CHROOT;
	return state;
}

/* The tgid as the innermost pid namespace numbers it. */
static __always_inline u32 task_ns_pid(struct task_struct *task)
{
	struct pid *pid = BPF_CORE_READ(task, signal, pids[PIDTYPE_TGID]);
	struct upid *upid;

	if (!pid)
		return 0;
	upid = (void *)&pid->numbers;
	upid = (void *)upid +
	       (u64)(BPF_CORE_READ(pid, level) & 31) * bpf_core_type_size(struct upid);
	return BPF_CORE_READ(upid, nr);
}

int actor_fill(u32 slot)
{
	struct sf_scratch *s = scratch_at(slot);
	struct task_struct *task, *parent;
	struct sf_actor *a;

	if (!s)
		return 0;
	/* Every event begins with its header and its actor. */
	a = &s->fork.actor;
	task = (void *)s->task;
	parent = BPF_CORE_READ(task, real_parent);
	s->hdr.ts = s->now;
	a->instance = s->instance;
	a->cgroup = s->cgroup;
	a->start_ns = BPF_CORE_READ(task, group_leader, start_boottime);
	a->parent_start_ns = BPF_CORE_READ(parent, group_leader, start_boottime);
	a->tgid = BPF_CORE_READ(task, tgid);
	a->tid = BPF_CORE_READ(task, pid);
	a->ppid = BPF_CORE_READ(parent, tgid);
	a->ns_pid = task_ns_pid(task);
	a->mntns = BPF_CORE_READ(task, nsproxy, mnt_ns, ns.inum);
	a->netns = BPF_CORE_READ(task, nsproxy, net_ns, ns.inum);
	a->state = task_state(task, s->state);
	a->uid = BPF_CORE_READ(task, cred, fsuid.val);
	bpf_core_read(a->comm, sizeof(a->comm), &task->comm);
	return 0;
}

/* ---- rings ---- */

int channel_emit(u32 slot, u32 kind, u32 size)
{
	struct sf_scratch *s = scratch_at(slot);

	if (!s || size > sizeof(s->exec))
		return -1;
	s->hdr.kind = kind;
	s->hdr.serial = 0;
	s->hdr.size = size;
	if (!bpf_ringbuf_output(&channel, &s->hdr, size, BPF_RB_FORCE_WAKEUP))
		return 0;
	counter_add(SF_C_LOST_RARE);
	return -1;
}

int rare_emit(u32 slot, u32 kind, u32 size)
{
	struct sf_scratch *s = scratch_at(slot);
	struct sf_instance *instance;
	u64 key;

	if (!s)
		return -1;
	s->hdr.kind = kind;
	if (kind != SF_EV_EXIT)
		s->hdr.serial = 0;
	s->hdr.size = size;
	if (size > sizeof(s->exec))
		return -1;
	if (!bpf_ringbuf_output(&rare, &s->hdr, size, 0))
		return 0;
	counter_add(SF_C_LOST_RARE);
	key = s->instance;
	instance = bpf_map_lookup_elem(&instances, &key);
	if (instance)
		__sync_fetch_and_add(&instance->rare_lost, 1);
	return -1;
}
