/* SPDX-License-Identifier: GPL-2.0-only */
/* Every counter, by name: where it is counted, what it means. */
#include <errno.h>
#include <string.h>

#include "core.h"

/* The daemon's own, behind the kernel side's. */
enum own_counter {
	OWN_RECURSION = SF_C_MAX,
	OWN_UNDECODABLE,
	OWN_STALE,
	OWN_LOST_EVENTS,
	OWN_QUESTIONS_REFUSED,
	OWN_EXPLAIN_KILLED,
	OWN_QUEUE_DROPPED,
	OWN_ALERTS_DROPPED,
	OWN_ALERTS_FAILED,
	COUNTER_MAX
};

static const struct {
	const char *name, *meaning;
} table[] = {
	[SF_C_FAILED] = { "failed", "failing syscalls of tracked tasks" },
	[SF_C_BENIGN] = { "benign",
			  "failing syscalls that are known to be harmless, only counted" },
	[SF_C_INTERNAL] = { "internal", "kernel-internal results, no failures" },
	[SF_C_DENIED] = { "denied", "syscalls that seccomp refused" },
	[SF_C_UNKNOWN] = { "unknown", "failing syscalls of threads first seen under a filter" },
	[SF_C_FAKED] = { "faked", "results that seccomp or a tracer put in place of a call" },
	[SF_C_SUCCESS] = { "success", "successful syscalls that matter" },
	[SF_C_COARSE] = { "coarse", "failing syscalls counted without their subject" },
	[SF_C_LOST_SIG] = { "lost_sig", "failing syscalls that found no place in any map" },
	[SF_C_LOST_BELL] = { "lost_bell", "first sightings that found their ring full; counted" },
	[SF_C_LOST_RARE] = { "lost_rare", "rare events that found their ring full" },
	[SF_C_LOST_SCRATCH] = { "lost_scratch", "events for which no scratch memory was free" },
	[SF_C_LOST_PROC] = { "lost_proc", "processes that found no place in their table" },
	[SF_C_LOST_THREAD] = { "lost_thread", "threads for which there was no storage" },
	[SF_C_TEXT_UNREADABLE] = { "text_unreadable", "subjects whose text could not be read" },
	[SF_C_EXEC] = { "exec", "programs started" },
	[SF_C_FORK] = { "fork", "processes made" },
	[SF_C_EXIT] = { "exit", "processes ended" },
	[SF_C_SIGNAL] = { "signal", "signals that end a process, or ask it to end" },
	[SF_C_OOM] = { "oom", "victims of the OOM killer" },
	[SF_C_CGROUP] = { "cgroup", "events of cgroups" },
	[SF_C_STATE] = { "state", "changes of Landlock, MDWE and mounts" },
	[SF_C_NET] = { "net", "TCP connections that never came about" },
	[SF_C_CAP] = { "cap", "failed capability checks" },
	[SF_C_LOST_CGROUP] = { "lost_cgroup", "cgroups that found no place in their table" },
	[SF_C_LOST_INSTANCE] = { "lost_instance", "instances that found no place in their table" },
	[OWN_RECURSION] = { "recursion_misses", "syscall entries that the kernel did not show" },
	[OWN_UNDECODABLE] = { "undecodable", "records that were no records" },
	[OWN_STALE] = { "stale", "failing syscalls of tasks that had been forgotten" },
	[OWN_LOST_EVENTS] = { "lost_events", "events that the daemon had no memory for" },
	[OWN_QUESTIONS_REFUSED] = { "questions_refused",
				    "questions about state that did not wait" },
	[OWN_EXPLAIN_KILLED] = { "explain_killed", "helpers that got no answer in time" },
	[OWN_QUEUE_DROPPED] = { "queue_dropped", "records given up while the disk was full" },
	[OWN_ALERTS_DROPPED] = { "alerts_dropped", "alerts that the command was too slow for" },
	[OWN_ALERTS_FAILED] = { "alerts_failed", "runs of the alert command that failed" },
};
_Static_assert(ARRAY_SIZE(table) == COUNTER_MAX, "every counter has a name");
_Static_assert(COUNTER_MAX <= ARRAY_SIZE(((struct pipeline *)0)->counters_stored), "room for all");

size_t counters_count(void)
{
	return COUNTER_MAX;
}

const char *counters_name(size_t i)
{
	return table[i].name;
}

const char *counters_meaning(size_t i)
{
	return table[i].meaning;
}

void counters_read(struct pipeline *p, int64_t *values)
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
	values[OWN_QUEUE_DROPPED] = (int64_t)store_dropped(p->store);
	values[OWN_ALERTS_DROPPED] = (int64_t)sink_dropped(p->sink);
	values[OWN_ALERTS_FAILED] = (int64_t)sink_failed(p->sink);
}

/* Only those that changed; all of them the first time, so that an old daemon's do not stay. */
void counters_store(struct pipeline *p, int64_t now_ns)
{
	int64_t values[COUNTER_MAX];

	counters_read(p, values);
	for (size_t i = 0; i < COUNTER_MAX; i++) {
		if (p->generation && values[i] == p->counters_stored[i])
			continue;
		if (store_put_counter(p->store, table[i].name, values[i], now_ns) == 0)
			p->counters_stored[i] = values[i];
	}
}
