/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From what is known of a task to its failures and its verdict. Pure: reads the task, writes the
 * record, touches nothing else; may be called again at any time.
 */
#ifndef SANDFAULT_JUDGE_H
#define SANDFAULT_JUDGE_H

#include "model.h"

struct judge_context {
	bool final;	 /* the task has ended: what is not tied to an end by now never will be */
	uint64_t now_ns; /* boottime */
	int64_t utc_offset_ns; /* realtime - boottime */
};

/*
 * Fills out->failures (gravest first, dispositions handled, contributing, fatal),
 * verdict_fingerprint, noise, handled, provisional. out must be zeroed (failure part); identity
 * fields are not touched. 0 or -ENOMEM.
 */
int judge_task(const struct task *t, const struct judge_context *c, struct task_record *out);

#endif
