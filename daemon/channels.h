/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tool channels of this host: their streams, who stands at either end, and whose task a call
 * is. Part of the pipeline (core.h); bytes are taken apart by wire.h and rpc.h, messages paired by
 * session.h, payloads compared by payload.h. Everything runs in the loop.
 */
#ifndef SANDFAULT_CHANNELS_H
#define SANDFAULT_CHANNELS_H

#include "call.h"

struct channels;
struct pipeline;
struct tracked;

/*
 * Adds a call that the harness tells of to a task that is open or settles: it gets a number and is
 * judged with what the kernel saw. Takes over what *c owns and empties it, also where it fails.
 * 0, -ENOSPC (the task has too many), or -ENOMEM.
 */
int channels_told(struct pipeline *p, struct tracked *tr, struct call *c);

#endif
