/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Looks at files that were refused, or would not run, the moment the kernel says so, without a way through the
 * daemon: a process of its own on a ring of its own. What it sees comes as explain's answers do,
 * named by the signature's key as the kernel side has it; it may come before the bell itself.
 */
#ifndef SANDFAULT_SCOUT_H
#define SANDFAULT_SCOUT_H

#include "explain.h"

struct scout;
typedef void (*scout_fn)(const struct sf_key *key, const struct explanation *e, void *arg);

/* `ring` is the fd of the ring `urgent`, `own_mntns` this process's mount namespace. 0 or -errno:
 * nothing of the main job depends on it. */
int scout_new(struct scout **ret, struct loop *l, int ring, uint32_t own_mntns, scout_fn fn,
	      void *arg);
void scout_free(struct scout *s);
/* Takes the answers that are there. */
void scout_drain(struct scout *s);

#endif
