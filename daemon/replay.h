/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a recording (tape.h) to its tasks' verdicts, by the same stages that the daemon runs: decode,
 * attribute, triage, classify, judge. Needs no root, no kernel side, no database, no clock.
 */
#ifndef SANDFAULT_REPLAY_H
#define SANDFAULT_REPLAY_H

#include "record.h"

/* A task as it was judged for good; the record is valid during the call. */
typedef void (*replay_fn)(const struct task_record *rec, void *arg);

/* 0, or -errno; *why (owned, may stay NULL) says more. */
int replay_tape(const char *path, replay_fn fn, void *arg, char **why);

#endif
