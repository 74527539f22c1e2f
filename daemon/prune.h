/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Forgets look-ups that can't matter any more. A healthy build or package manager misses tens of
 * thousands of names; of a process that ended well they are noise, whatever else comes, unless their
 * path is one that the task itself had made, or a tool call failed at that time. Counts are not
 * affected: they are in the tally.
 */
#ifndef SANDFAULT_PRUNE_H
#define SANDFAULT_PRUNE_H

#include "model.h"

#define PRUNE_FROM 64 /* signatures that any task may keep */

/* Returns how many signatures went. `before_ns`: of processes that ended earlier than that. */
size_t prune_task(struct task *t, uint64_t before_ns);

#endif
