/* SPDX-License-Identifier: GPL-2.0-only */
/* Every counter by name: those of the kernel side, then the daemon's own. */
#ifndef SANDFAULT_COUNTERS_H
#define SANDFAULT_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "../bpf/event.h"

enum own_counter {
	OWN_RECURSION = SF_C_MAX,
	OWN_UNDECODABLE,
	OWN_STALE,
	OWN_LOST_EVENTS,
	OWN_QUESTIONS_REFUSED,
	OWN_EXPLAIN_KILLED,
	OWN_UNCOMPARED,
	OWN_QUEUE_DROPPED,
	OWN_SINK_DROPPED,
	OWN_SINK_FAILED,
	OWN_ALERT_OVERFLOW,
	OWN_CALLS_UNOWNED,
	OWN_STREAMS_EVICTED,
	OWN_DISK_KILLED,
	OWN_CONTROL_REFUSED,
	OWN_CONTROL_MALFORMED,
	OWN_CONTROL_SLOW,
	OWN_CONTROL_OVERFLOW,
	COUNTER_MAX
};

struct counter {
	const char *name, *meaning;
	bool loss; /* should be zero: something was lost, refused or given up */
};

extern const struct counter counters[COUNTER_MAX];

const struct counter *counters_find(const char *name); /* NULL: unknown */

#endif
