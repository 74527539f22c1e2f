/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The bell: everything about the first sighting of a signature that will soon be gone.
 */
#include "call.bpf.h"

#define EPERM	1
#define ENOENT	2
#define ENOEXEC 8
#define EAGAIN	11
#define ENOMEM	12
#define EACCES	13
#define ENOSPC	28
#define EROFS	30

/* Is it a failure that a limit may be behind? */
static __always_inline bool bell_wants_limits(struct sf_scratch *s)
{
	s16 err = s->key.err;

	if (s->key.entry == SF_SHORT)
		return true;
	if (err <= 0)
		return false;
	if (s->sys.flags & SF_SYS_LIMITS)
		return true;
	if (s->sys.flags & SF_SYS_FORK)
		return err == EAGAIN || err == ENOMEM;
	return s->sys.flags & SF_SYS_MEMORY && (err == ENOMEM || err == EAGAIN);
}

/* What was seen inside of this very call. A worker of io_uring stands in none. */
static __always_inline void bell_join(struct sf_scratch *s)
{
	struct task_struct *task = compat_current();
	struct sf_thread *thread = thread_get(task, false);

	if (TASK_READ(task, flags) & PF_IO_WORKER)
		return;
	s->bell.head.hooks = hooks_on;
	if (!thread || !thread_is_at(thread, compat_regs(task)))
		return;
	if (thread->cap_mask) {
		s->bell.head.cap_mask = thread->cap_mask;
		s->bell.head.cap_ns_level = thread->cap_ns_level;
		s->bell.head.flags |= SF_BELL_CAP;
	}
	s->bell.head.hook = thread->hook;
	s->bell.head.hook_err = thread->hook_err;
	s->bell.head.lsm = thread->lsm;
	/* An open inside of an exec: the exec is yet to fail. */
	if (s->key.entry == SF_LOOKUP && s->key.nr == config.nr_execve)
		return;
	s->bell.head.inner = thread->inner;
	thread->cap_mask = 0;
	thread->hook = SF_HOOK_NONE;
	thread->inner = 0;
}

/* The directory that the text starts from, behind the text. */
static __always_inline void bell_base(struct sf_scratch *s)
{
	u32 text = s->bell.head.text_len, off, len;

	path_walk(s->slot);
	off = s->walk_off;
	if (off >= SF_PATH - 1)
		return;
	len = SF_PATH - 1 - off;
	barrier_var(len);
	barrier_var(text);
	barrier_var(off);
	if (len >= SF_PATH || text > SF_PATH || off >= SF_PATH)
		return;
	bpf_probe_read_kernel(s->bell.data + text, len, s->walk + off);
	s->bell.head.base_len = len;
	s->bell.head.flags |= SF_BELL_BASE | s->walk_flags;
}

/* A path from the root starts there: its mode and mount may be what refused. */
static __always_inline void bell_from_root(struct sf_scratch *s)
{
	struct task_struct *task = (void *)s->task;

	if (s->from_dentry || s->bell.head.text_kind != SF_TEXT_PATH || s->bell.data[0] != '/')
		return;
	s->from_dentry = (u64)BPF_CORE_READ(task, fs, root.dentry);
	s->from_mnt = (u64)BPF_CORE_READ(task, fs, root.mnt);
}

static __always_inline void bell_head(struct sf_scratch *s)
{
	struct sf_ev_bell *head = &s->bell.head;

	__builtin_memset(head, 0, sizeof(*head));
	head->key = s->key;
	__builtin_memcpy(head->args, s->args, sizeof(head->args));
	if (!s->key.coarse) {
		head->text_kind = s->text_kind;
		head->text_len = s->text_len > SF_PATH ? SF_PATH : s->text_len;
	}
	if (s->text_cut)
		head->flags |= SF_BELL_TEXT_CUT;
	if (s->marked)
		head->flags |= SF_BELL_MARKED;
}

/* Would it have made something: its directory is not there. */
static __always_inline bool bell_makes(struct sf_scratch *s)
{
	u32 index = s->sys.flags_arg;

	if (!(s->sys.flags & SF_SYS_CREAT))
		return s->sys.flags & SF_SYS_SUCCESS;
	barrier_var(index);
	return index < 6 && s->args[index] & O_CREAT;
}

/*
 * A file that was refused, or that would not run, is often removed a millisecond later: who looks at
 * files hears of it at once, not when the daemon comes to it. The same choice as triage's. A full
 * ring loses a look ahead, nothing else.
 */
static __always_inline bool bell_is_urgent(struct sf_scratch *s)
{
	if (s->key.coarse ||
	    (s->key.entry != SF_ENTERED && s->key.entry != SF_LOOKUP && s->key.entry != SF_REQUEST))
		return false;
	if (s->bell.head.hook)
		return true;
	if (s->text_kind != SF_TEXT_PATH && s->text_kind != SF_TEXT_FD)
		return false;
	switch (s->key.err) {
	case EPERM:
	case EACCES:
	case ENOEXEC:
	case ENOSPC:
		return true;
	case ENOENT:
		return s->key.nr == config.nr_execve || s->key.nr == config.nr_execveat ||
		       bell_makes(s);
	default:
		return false;
	}
}

/* May a mount have refused it, or hidden it? */
static __always_inline bool bell_wants_mounts(struct sf_scratch *s)
{
	if (s->key.coarse || (s->text_kind != SF_TEXT_PATH && s->text_kind != SF_TEXT_FD))
		return false;
	switch (s->key.err) {
	case EPERM:
	case ENOENT:
	case EACCES:
	case ENOSPC:
	case EROFS:
		return true;
	default:
		return false;
	}
}

int bell_ring(u32 slot)
{
	struct sf_scratch *s = scratch_at(slot);
	struct sf_instance *instance;
	u32 size;

	if (!s)
		return -1;
	bell_head(s);
	s->state = thread_state(compat_current());
	actor_fill(slot);
	bell_join(s);
	if (bell_wants_limits(s))
		limits_fill(slot);
	if (s->bell.head.text_kind == SF_TEXT_PATH && s->from_dentry)
		bell_base(s);
	if (s->sys.flags & SF_SYS_CREDS && s->key.err > 0) {
		bell_from_root(s);
		creds_fill(slot);
		if (bell_wants_mounts(s))
			s->bell.head.creds.table = mounts_table(slot);
	}
	size = sizeof(s->bell.head) + s->bell.head.text_len + s->bell.head.base_len;
	s->hdr.kind = SF_EV_BELL;
	s->hdr.size = size;
	barrier_var(size);
	if (size <= sizeof(s->bell) && bell_is_urgent(s))
		bpf_ringbuf_output(&urgent, &s->hdr, size, BPF_RB_FORCE_WAKEUP);
	if (size <= sizeof(s->bell) && !bpf_ringbuf_output(&bells, &s->hdr, size, 0))
		return 0;
	counter_add(SF_C_LOST_BELL);
	instance = bpf_map_lookup_elem(&instances, &s->key.instance);
	if (instance)
		__sync_fetch_and_add(&instance->bells_lost, 1);
	return -1;
}
