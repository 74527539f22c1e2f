/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which calls may have gone through a tool's channel: asked of every call that moves bytes, so that
 * it has to be cheap for those that went to a file.
 */
#ifndef SANDFAULT_CHANNEL_BPF_H
#define SANDFAULT_CHANNEL_BPF_H

#include "emit.bpf.h"

static __always_inline u32 file_type(struct file *file)
{
	return BPF_CORE_READ(file, f_inode, i_mode) & S_IFMT;
}

/* A call that succeeded: was it on a pipe or a socket? */
static __always_inline bool channel_may_be(struct task_struct *task, u32 fd)
{
	struct file *file = task_file(task, fd);
	u32 type = file ? file_type(file) : 0;

	return type == S_IFIFO || type == S_IFSOCK;
}

/* … that failed: as one does whose peer has left? */
static __always_inline bool channel_may_be_refused(long ret)
{
	return ret == -EPIPE || ret == -ECONNRESET;
}

#endif
