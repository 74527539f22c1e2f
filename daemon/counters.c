/* SPDX-License-Identifier: GPL-2.0-only */
/* Where each counter is counted. */
#include <errno.h>
#include <string.h>

#include "core.h"

_Static_assert(COUNTER_MAX <= ARRAY_SIZE(((struct pipeline *)0)->counters_stored), "room for all");

void counters_read(struct pipeline *p, int64_t values[COUNTER_MAX])
{
	uint64_t kernel[SF_C_MAX] = { 0 };

	sensors_counters(p->sensors, kernel);
	for (size_t i = 0; i < SF_C_MAX; i++)
		values[i] = (int64_t)kernel[i];
	values[OWN_RECURSION] = (int64_t)sensors_recursion_misses(p->sensors);
	values[OWN_UNDECODABLE] = (int64_t)p->undecodable;
	values[OWN_STALE] = (int64_t)p->stale;
	values[OWN_LOST_EVENTS] = (int64_t)p->lost_events;
	values[OWN_QUESTIONS_REFUSED] = (int64_t)p->refused_questions;
	values[OWN_EXPLAIN_KILLED] = (int64_t)explain_killed(p->explainer);
	values[OWN_UNCOMPARED] = (int64_t)channels_uncompared(p);
	values[OWN_QUEUE_DROPPED] = (int64_t)store_dropped(p->store);
	values[OWN_SINK_DROPPED] = (int64_t)sink_dropped(p->sink);
	values[OWN_SINK_FAILED] = (int64_t)sink_failed(p->sink);
	values[OWN_ALERT_OVERFLOW] = (int64_t)alert_overflow(p->alerts);
	channels_count(p, values);
	if (!p->control) { /* the daemon stops: what was stored last holds */
		for (size_t i = OWN_CONTROL_REFUSED; i <= OWN_CONTROL_OVERFLOW; i++)
			values[i] = p->counters_stored[i];
		return;
	}
	values[OWN_CONTROL_REFUSED] = (int64_t)control_refused(p->control);
	values[OWN_CONTROL_MALFORMED] = (int64_t)control_malformed(p->control);
	values[OWN_CONTROL_SLOW] = (int64_t)control_slow(p->control);
	values[OWN_CONTROL_OVERFLOW] = (int64_t)control_overflow(p->control);
}

/* Only those that changed; all of them the first time, so that an old daemon's do not stay. */
void counters_store(struct pipeline *p, int64_t now_ns)
{
	int64_t values[COUNTER_MAX];

	counters_read(p, values);
	for (size_t i = 0; i < COUNTER_MAX; i++) {
		if (p->generation && values[i] == p->counters_stored[i])
			continue;
		if (store_put_counter(p->store, counters[i].name, values[i], now_ns) == 0)
			p->counters_stored[i] = values[i];
	}
}
