/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs the user's alert command: execve without a shell, the alert's JSON on stdin, a small clean
 * environment, a time limit (SIGTERM, then SIGKILL to its process group), stdout and stderr
 * logged line by line (bounded). Never blocks the loop; at most 4 at once, further ones queue (16),
 * then are counted as dropped.
 */
#ifndef SANDFAULT_SINK_H
#define SANDFAULT_SINK_H

#include "loop.h"

struct sink;
int sink_new(struct sink **ret, struct loop *l, const char *command, int64_t timeout_ns);
void sink_free(struct sink *s);						/* kills what still runs */
void sink_set(struct sink *s, const char *command, int64_t timeout_ns); /* NULL: off */
/* `json` is copied. 0, -ENOENT: no command, -EBUSY: dropped. */
int sink_send(struct sink *s, const char *json);
uint64_t sink_dropped(const struct sink *s);
uint64_t sink_failed(const struct sink *s); /* could not start, timed out, or exited non-zero */

#endif
