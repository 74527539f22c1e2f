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
struct event;
struct pipeline;
struct task;
struct tracked;

/* Before there are threads: a helper is forked. 0, also where channels are off, or -errno. */
int channels_new(struct pipeline *p);
void channels_start(struct pipeline *p); /* the sensors are there: servers of the options */
void channels_free(struct pipeline *p);
/* A record of the ring of channels. */
void channels_event(struct pipeline *p, const struct event *e);
void channels_turn(struct pipeline *p); /* some of the ring was taken */
void channels_tick(struct pipeline *p); /* a sweep's turn: about once a second */
/* The task has ended, and the ring was taken to its end: what is open now was never answered. */
void channels_settle(struct pipeline *p, struct tracked *tr);
void channels_forget(struct pipeline *p, const struct tracked *tr); /* it goes */

void channels_count(const struct pipeline *p, int64_t *values); /* by enum own_counter */

/*
 * Adds a call that the harness tells of to a task that is open or settles: it gets a number and is
 * judged with what the kernel saw. Takes over what *c owns and empties it, also where it fails.
 * 0, -ENOSPC (the task has too many), or -ENOMEM.
 */
int channels_told(struct pipeline *p, struct tracked *tr, struct call *c);

/* The task owns the call from now on; where it fails (-ENOSPC, -ENOMEM) the caller still does. */
int channels_call_add(struct pipeline *p, struct tracked *tr, struct call *c);
/* … what *i owns, likewise. */
int channels_incident_add(struct task *t, const struct incident *i);

/* The harness names the server (outside of every task) that serves this task. 0 or -errno. */
int channels_begin(struct pipeline *p, struct tracked *tr, pid_t server);
void channels_end(struct pipeline *p, struct tracked *tr); /* … no longer */

/* Files of calls that were not looked at: too many at once, or no answer in time. */
uint64_t channels_uncompared(const struct pipeline *p);

#endif
