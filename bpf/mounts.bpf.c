/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mount table of a process, read where it failed. Without bpf_loop (before 5.17) it is not sent, and
 * the daemon reads mountinfo while somebody lives.
 */
#include "emit.bpf.h"

#define MOUNTS_STEPS 4096 /* one down, aside or up */
#define MOUNTS_MAX   1024

/* Each change of the namespace makes another event, and where the root is decides on the paths. */
struct table_key {
	u64 ns;
	u64 event;
	u64 root_dentry;
	u64 root_mnt;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, struct table_key);
	__type(value, u32);
} mount_tables SEC(".maps");

__u32 last_table = 0;

struct mounts_state {
	struct sf_scratch *s;
};

/* The walked path behind the event's first `at` bytes of text; its length. */
static __always_inline u32 mount_text(struct sf_scratch *s, u32 at)
{
	u32 off, len;

	path_walk(s->slot);
	off = s->walk_off;
	len = SF_PATH - 1 - off;
	barrier_var(off);
	barrier_var(len);
	barrier_var(at);
	at &= SF_PATH - 1;
	if (off >= SF_PATH || len >= SF_PATH)
		return 0;
	bpf_probe_read_kernel(s->mount.data + at, len, s->walk + off);
	return len;
}

/* Where it is mounted; 0: out of the process's sight. */
static __always_inline u32 mount_point(struct sf_scratch *s, struct mount *mount,
				       struct mount *parent)
{
	u32 len;

	if ((u64)mount == s->mount_top) {
		s->mount.data[0] = '/';
		return 1;
	}
	s->from_mnt = (u64)parent + bpf_core_field_offset(struct mount, mnt);
	s->from_dentry = (u64)BPF_CORE_READ(mount, mnt_mountpoint);
	len = mount_text(s, 0);
	return s->walk_flags & (SF_BELL_BASE_OUTSIDE | SF_BELL_BASE_CUT) ? 0 : len;
}

static __always_inline u32 mount_root(struct sf_scratch *s, struct dentry *root,
				      struct super_block *sb, u32 at)
{
	u32 len;

	barrier_var(at);
	at &= SF_PATH - 1;
	if (root == BPF_CORE_READ(sb, s_root)) {
		s->mount.data[at] = '/';
		return 1;
	}
	s->from_dentry = (u64)root;
	s->walk_inside = 1;
	len = mount_text(s, at);
	s->walk_inside = 0;
	return len;
}

static __always_inline long mount_send(struct sf_scratch *s, u32 size)
{
	s->hdr.kind = SF_EV_MOUNT;
	s->hdr.serial = 0;
	s->hdr.size = size;
	barrier_var(size);
	if (size > sizeof(s->mount))
		return -1;
	return bpf_ringbuf_output(&bells, &s->hdr, size, 0);
}

static __always_inline long mount_emit(struct sf_scratch *s, struct mount *mount)
{
	struct mount *parent = BPF_CORE_READ(mount, mnt_parent);
	struct dentry *root = BPF_CORE_READ(mount, mnt.mnt_root);
	struct super_block *sb = BPF_CORE_READ(mount, mnt.mnt_sb);
	struct inode *inode = BPF_CORE_READ(root, d_inode);
	struct sf_ev_mount *ev = &s->mount.head;
	u32 point = mount_point(s, mount, parent), len;

	if (!point)
		return 0;
	len = mount_root(s, root, sb, point);
	ev->end = 0;
	ev->id = BPF_CORE_READ(mount, mnt_id);
	ev->parent = (u64)mount == s->mount_top ? 0 : BPF_CORE_READ(parent, mnt_id);
	ev->flags = BPF_CORE_READ(mount, mnt.mnt_flags);
	ev->sb_flags = BPF_CORE_READ(sb, s_flags);
	ev->mode = BPF_CORE_READ(inode, i_mode);
	ev->uid = BPF_CORE_READ(inode, i_uid.val);
	ev->gid = BPF_CORE_READ(inode, i_gid.val);
	ev->magic = BPF_CORE_READ(sb, s_magic);
	bpf_probe_read_kernel_str(ev->type, sizeof(ev->type), BPF_CORE_READ(sb, s_type, name));
	ev->point_len = point;
	ev->root_len = len;
	if (s->mounts >= MOUNTS_MAX || mount_send(s, sizeof(*ev) + point + len))
		return -1;
	s->mounts++;
	return 0;
}

static __always_inline struct mount *mount_of_child(struct list_head *child)
{
	return (void *)child - bpf_core_field_offset(struct mount, mnt_child);
}

/* As next_mnt() of fs/namespace.c: down, else aside, else up. 1: done. */
static long mounts_step(u32 index, struct mounts_state *state)
{
	struct sf_scratch *s = state->s;
	struct mount *at = (void *)s->mount_at, *parent;
	struct list_head *next;

	if (!s->mount_up) {
		if (mount_emit(s, at))
			return 1;
		next = BPF_CORE_READ(at, mnt_mounts.next);
		s->mount_up = next == (void *)at + bpf_core_field_offset(struct mount, mnt_mounts);
		if (!s->mount_up)
			s->mount_at = (u64)mount_of_child(next);
		return !next;
	}
	if (s->mount_at == s->mount_top) {
		s->mounts_whole = 1;
		return 1;
	}
	parent = BPF_CORE_READ(at, mnt_parent);
	next = BPF_CORE_READ(at, mnt_child.next);
	s->mount_up = next == (void *)parent + bpf_core_field_offset(struct mount, mnt_mounts);
	s->mount_at = s->mount_up ? (u64)parent : (u64)mount_of_child(next);
	return !next;
}

/* 0: it was lost on the way. */
static __always_inline u32 mounts_send(struct sf_scratch *s, struct vfsmount *root)
{
	struct mounts_state state = { .s = s };
	struct sf_ev_mount *ev = &s->mount.head;
	u32 table = __sync_fetch_and_add(&last_table, 1) + 1;

	actor_fill(s->slot);
	ev->table = table;
	ev->pad = 0;
	__builtin_memset(ev->pad2, 0, sizeof(ev->pad2));
	s->walk_inside = 0;
	s->mount_top = (u64)root - bpf_core_field_offset(struct mount, mnt);
	s->mount_at = s->mount_top;
	s->mount_up = 0;
	s->mounts = 0;
	s->mounts_whole = 0;
	bpf_loop(MOUNTS_STEPS, mounts_step, &state, 0);
	if (!s->mounts_whole)
		return 0;
	ev->end = 1;
	ev->id = s->mounts;
	ev->point_len = 0;
	ev->root_len = 0;
	return mount_send(s, sizeof(*ev)) ? 0 : table;
}

/* Its rows count as new signatures do, and leave them half of the budget: who mounts and fails all the
 * time fills no ring. */
static __always_inline struct sf_instance *mounts_payer(u64 id)
{
	struct sf_instance *instance = bpf_map_lookup_elem(&instances, &id);

	if (!instance ||
	    (instance->generation == generation && instance->made >= config.budget / 2))
		return NULL;
	return instance;
}

int mounts_table(u32 slot)
{
	struct sf_scratch *bell = scratch_at(slot), *s;
	struct sf_instance *payer;
	struct mnt_namespace *ns;
	struct table_key key = {};
	struct task_struct *task;
	struct vfsmount *root;
	u32 *known, table;

	if (!bell || !compat_has(loop))
		return 0;
	task = (void *)bell->task;
	ns = BPF_CORE_READ(task, nsproxy, mnt_ns);
	if (!ns || (BPF_CORE_READ(ns, ns.inum) == config.own_mntns &&
		    !(bell->bell.head.actor.state & SF_ST_CHROOT)))
		return 0;
	root = BPF_CORE_READ(task, fs, root.mnt);
	key.ns = compat_mntns_id(ns);
	key.event = BPF_CORE_READ(ns, event);
	key.root_dentry = (u64)BPF_CORE_READ(task, fs, root.dentry);
	key.root_mnt = (u64)root;
	known = bpf_map_lookup_elem(&mount_tables, &key);
	if (known)
		return *known;
	payer = mounts_payer(bell->instance);
	s = payer ? scratch_about(bell->task, bell->instance, bell->cgroup) : NULL;
	if (!s) {
		counter_add(SF_C_LOST_MOUNTS);
		return 0;
	}
	table = mounts_send(s, root);
	__sync_fetch_and_add(&payer->made, s->mounts);
	scratch_put(s);
	counter_add(table ? SF_C_MOUNTS : SF_C_LOST_MOUNTS);
	/* Another thread's change while it was read belongs to the next one. */
	if (table && key.event == BPF_CORE_READ(ns, event))
		bpf_map_update_elem(&mount_tables, &key, &table, BPF_ANY);
	return table;
}
