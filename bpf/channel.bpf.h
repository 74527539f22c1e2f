/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which calls may have gone through a tool's channel: asked of every call that moves bytes, so that
 * it has to be cheap for those that went to a file.
 */
#ifndef SANDFAULT_CHANNEL_BPF_H
#define SANDFAULT_CHANNEL_BPF_H

#include "emit.bpf.h"

/* Is it looked for channels? */
static __always_inline bool channel_is_watched(struct task_struct *task)
{
	u32 tgid = TASK_READ(task, tgid);
	u64 cgroup = task_cgroup_id(task);

	if (process_instance(tgid, cgroup))
		return true;
	if (watched_count && bpf_map_lookup_elem(&watched, &tgid))
		return true;
	return watched_cgroups_count && bpf_map_lookup_elem(&watched_cgroups, &cgroup);
}

/* A call that succeeded: can it have been on a channel, or on what is about to be one? Most files are
 * told by one look; the rest is asked by the program that is called then. */
static __always_inline bool channel_may_be(struct task_struct *task, u32 fd)
{
	struct file *file = task_file(task, fd);

	if (!file || BPF_CORE_READ(file, f_mode) & FMODE_LSEEK)
		return false;
	return stream_count || channel_is_watched(task);
}

/* … that failed: as one does whose peer has left? */
static __always_inline bool channel_may_be_refused(long ret)
{
	return ret == -EPIPE || ret == -ECONNRESET;
}

#endif
