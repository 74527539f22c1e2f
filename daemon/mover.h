/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Moves processes into cgroups on a thread of its own: the write waits for an RCU grace period, 10 to
 * 20 ms, since a move shuts out every fork and exit meanwhile (kernel commit 1ed1328792ff,
 * cgroup_threadgroup_rwsem). The loop has evidence to look at that would be gone by then.
 */
#ifndef SANDFAULT_MOVER_H
#define SANDFAULT_MOVER_H

#include <sys/types.h>

#include "loop.h"

struct mover;

/* results[i]: of pids[i], 0 or -errno; both are valid during the call. Called from the loop. */
typedef void (*mover_fn)(const pid_t *pids, const int *results, size_t n, void *arg);

/* 0 or -errno. */
int mover_new(struct mover **ret, struct loop *l);
/* Moves that are under way are finished; nobody is told of any. */
void mover_free(struct mover *m);
/*
 * Writes each pid to `file` (a cgroup.procs; copied), in their order. Moves are made one after the
 * other; fn is called once. Takes over `pids` (malloc'd) where 0 is returned; or -ENOMEM.
 */
int mover_move(struct mover *m, const char *file, pid_t *pids, size_t n, mover_fn fn, void *arg);

#endif
