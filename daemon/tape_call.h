/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls and incidents as a tape has them: whole, as they stood when their task was judged. */
#ifndef SANDFAULT_TAPE_CALL_H
#define SANDFAULT_TAPE_CALL_H

#include "tape.h"

/* All of a task's. */
void tape_calls(struct tape *t, const struct task *task);
/* From a frame, into a zeroed struct that the caller then owns. 0, -EBADMSG or -ENOMEM. */
int tape_call_read(const void *data, size_t len, struct call *ret);
int tape_incident_read(const void *data, size_t len, struct incident *ret);

#endif
