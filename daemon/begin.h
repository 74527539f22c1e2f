/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the begin operation share. */
#ifndef SANDFAULT_BEGIN_H
#define SANDFAULT_BEGIN_H

#include "core.h"

struct begin {
	struct pipeline *p;
	struct control_peer *peer;
	uint64_t token;
	const struct control_begin *b;
};

/* begin.c. A peer may hand in what it may signal. */
bool begin_may_signal(const struct control_begin *b, const struct procfs_info *info);
int begin_set_cgroup(struct tracked *tr, const char *path, uint64_t id); /* 0 or -ENOMEM */
void begin_done(const struct begin *q, struct tracked *tr);		 /* it runs: replies */
/* The task is the process with its descendants. r: why it can't have a cgroup of its own, or 0. */
void begin_processes(const struct begin *q, struct tracked *tr, int r);

/* begin_leaf.c. Moves the process and its descendants into a cgroup of their own; the reply comes
 * once they are there. */
void begin_leaf(const struct begin *q, struct tracked *tr);

#endif
