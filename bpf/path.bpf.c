/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The absolute path of a directory or file, as its process would name it: from the dentry upwards,
 * over mounts, until the root of the process. Written backwards into scratch memory, so that a
 * path which does not fit keeps its end.
 */
#include "emit.bpf.h"

#define WALK_STEPS	 1024
#define WALK_STEPS_SHORT 128 /* as many as an older verifier follows in a moment */

struct walk_state {
	struct sf_scratch *s;
};

/* One step up; 1: done. As in the kernel's prepend_path() (fs/d_path.c). */
static long walk_step(u32 index, struct walk_state *state)
{
	struct sf_scratch *s = state->s;
	struct vfsmount *mnt = (void *)s->walk_mnt;
	struct dentry *dentry = (void *)s->walk_dentry;
	struct dentry *up;
	u32 len, off;

	if (s->walk_dentry == s->root_dentry && s->walk_mnt == s->root_mnt)
		return 1;
	if (!s->walk_inside && dentry == BPF_CORE_READ(mnt, mnt_root)) {
		struct mount *mount = (void *)mnt - bpf_core_field_offset(struct mount, mnt);
		struct mount *above = BPF_CORE_READ(mount, mnt_parent);

		if (above == mount || !above) {
			s->walk_flags |= SF_BELL_BASE_OUTSIDE;
			return 1;
		}
		s->walk_dentry = (u64)BPF_CORE_READ(mount, mnt_mountpoint);
		s->walk_mnt = (u64)above + bpf_core_field_offset(struct mount, mnt);
		return 0;
	}
	up = BPF_CORE_READ(dentry, d_parent);
	if (up == dentry || !up) {
		s->walk_flags |= SF_BELL_BASE_OUTSIDE;
		return 1;
	}
	len = BPF_CORE_READ(dentry, d_name.len);
	if (len > 255)
		len = 255;
	off = s->walk_off;
	if (off < len + 1) {
		s->walk_flags |= SF_BELL_BASE_CUT;
		return 1;
	}
	off -= len;
	barrier_var(off);
	off &= SF_PATH - 1;
	bpf_probe_read_kernel(s->walk + off, len, BPF_CORE_READ(dentry, d_name.name));
	off = (off - 1) & (SF_PATH - 1);
	s->walk[off] = '/';
	s->walk_off = off;
	s->walk_dentry = (u64)up;
	return 0;
}

/* What has no path: anon_inode:[eventpoll] and its like have a name, a pipe has none. */
static __always_inline void walk_nameless(struct sf_scratch *s, struct dentry *dentry)
{
	u32 len = BPF_CORE_READ(dentry, d_name.len), off = SF_PATH - 1;

	if (!len) {
		if ((BPF_CORE_READ(dentry, d_inode, i_mode) & S_IFMT) != S_IFIFO)
			return;
		s->walk_off = SF_PATH - 1 - 4;
		__builtin_memcpy(s->walk + SF_PATH - 1 - 4, "pipe", 4);
		return;
	}
	if (len > 255)
		len = 255;
	off -= len;
	barrier_var(off);
	off &= SF_PATH - 1;
	bpf_probe_read_kernel(s->walk + off, len, BPF_CORE_READ(dentry, d_name.name));
	s->walk_off = off;
}

/* bpf_loop came with 5.17 (e6f2dd0f8067). Before, a path that goes deeper keeps its end only, as one
 * that is too long does. */
static __always_inline void walk_up(struct walk_state *state)
{
	u32 i;

	if (compat_has(loop)) {
		bpf_loop(WALK_STEPS, walk_step, state, 0);
		return;
	}
	for (i = 0; i < WALK_STEPS_SHORT; i++)
		if (walk_step(i, state))
			return;
	state->s->walk_flags |= SF_BELL_BASE_CUT;
}

int path_walk(u32 slot)
{
	struct sf_scratch *s = scratch_at(slot);
	struct walk_state state;
	struct task_struct *task;
	struct dentry *dentry;

	if (!s)
		return 0;
	task = (void *)s->task;
	dentry = (void *)s->from_dentry;
	s->walk_off = SF_PATH - 1;
	s->walk_flags = 0;
	if (!dentry)
		return 0;
	s->walk_dentry = s->from_dentry;
	s->walk_mnt = s->from_mnt;
	s->root_dentry = (u64)BPF_CORE_READ(task, fs, root.dentry);
	s->root_mnt = (u64)BPF_CORE_READ(task, fs, root.mnt);
	/* Unhashed and not a root: its name was removed (d_unlinked()). */
	if (!BPF_CORE_READ(dentry, d_hash.pprev) && BPF_CORE_READ(dentry, d_parent) != dentry)
		s->walk_flags |= SF_BELL_BASE_REMOVED;
	state.s = s;
	walk_up(&state);
	if (s->walk_off != SF_PATH - 1)
		return 0;
	/* A file system's root is named "/". */
	if (s->walk_flags & SF_BELL_BASE_OUTSIDE && BPF_CORE_READ(dentry, d_name.len) != 1) {
		walk_nameless(s, dentry);
	} else {
		s->walk[SF_PATH - 2] = '/';
		s->walk_off = SF_PATH - 2;
	}
	return 0;
}
