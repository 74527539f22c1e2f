/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inside of channels*.c:
 *
 *	channels_call.c   calls and incidents go to their tasks
 */
#ifndef SANDFAULT_CHANNELS_IMPL_H
#define SANDFAULT_CHANNELS_IMPL_H

#include "core.h"

/* The task owns the call from now on; where it fails (-ENOSPC, -ENOMEM) the caller still does. */
int channels_call_add(struct pipeline *p, struct tracked *tr, struct call *c);
/* Somebody holds on to it still. */
static inline bool channels_in_flight(const struct pipeline *p, const struct call *c)
{
	return false;
}

#endif
