/* SPDX-License-Identifier: GPL-2.0-only */
#include <string.h>

#include "counters.h"

const struct counter counters[COUNTER_MAX] = {
	[SF_C_FAILED] = { "failed", "failing syscalls of tracked tasks", false },
	[SF_C_BENIGN] = { "benign", "failing syscalls that are known to be harmless, only counted",
			  false },
	[SF_C_INTERNAL] = { "internal", "kernel-internal results, no failures", false },
	[SF_C_DENIED] = { "denied", "syscalls that seccomp refused", false },
	[SF_C_UNKNOWN] = { "unknown", "failing syscalls of threads first seen under a filter",
			   false },
	[SF_C_FAKED] = { "faked", "results that seccomp or a tracer put in place of a call",
			 false },
	[SF_C_SUCCESS] = { "success", "successful syscalls that matter", false },
	[SF_C_COARSE] = { "coarse", "failing syscalls counted without their subject", false },
	[SF_C_LOST_SIG] = { "lost_sig", "failing syscalls that found no place in any map", true },
	[SF_C_LOST_BELL] = { "lost_bell", "first sightings that found their ring full; counted",
			     true },
	[SF_C_LOST_RARE] = { "lost_rare", "rare events that found their ring full", true },
	[SF_C_LOST_SCRATCH] = { "lost_scratch", "events for which no scratch memory was free",
				true },
	[SF_C_LOST_PROC] = { "lost_proc", "processes that found no place in their table", true },
	[SF_C_LOST_THREAD] = { "lost_thread", "threads for which there was no storage", true },
	[SF_C_TEXT_UNREADABLE] = { "text_unreadable", "subjects whose text could not be read",
				   false },
	[SF_C_EXEC] = { "exec", "programs started", false },
	[SF_C_FORK] = { "fork", "processes made", false },
	[SF_C_EXIT] = { "exit", "processes ended", false },
	[SF_C_SIGNAL] = { "signal", "signals that end a process, or ask it to end", false },
	[SF_C_OOM] = { "oom", "victims of the OOM killer", false },
	[SF_C_CGROUP] = { "cgroup", "events of cgroups", false },
	[SF_C_STATE] = { "state", "changes of Landlock, MDWE and mounts", false },
	[SF_C_NET] = { "net", "TCP connections that never came about", false },
	[SF_C_CPU] = { "cpu", "processes that ended below a CPU quota that ran out", false },
	[SF_C_CAP] = { "cap", "failed capability checks", false },
	[SF_C_HOOK] = { "hook", "security hooks that refused", false },
	[SF_C_REQUEST] = { "request", "requests of io_uring that failed", false },
	[SF_C_LOOKUP] = { "lookup", "failing opens that were no syscalls", false },
	[SF_C_MOUNTS] = { "mounts", "mount tables sent with a failure", false },
	[SF_C_LOST_MOUNTS] = { "lost_mounts", "mount tables that did not arrive", true },
	[SF_C_LOST_CGROUP] = { "lost_cgroup", "cgroups that found no place in their table", true },
	[SF_C_LOST_INSTANCE] = { "lost_instance", "instances that found no place in their table",
				 true },
	[SF_C_CHANNEL] = { "channel", "operations on tools' channels", false },
	[SF_C_LOST_CHANNEL] = { "lost_channel", "bytes of tools' channels that were not captured",
				true },
	[SF_C_LOST_STREAM] = { "lost_stream", "tools' channels that found no place in their table",
			       true },
	[OWN_RECURSION] = { "recursion_misses", "events that the kernel did not show", true },
	[OWN_UNDECODABLE] = { "undecodable", "records that were no records", true },
	[OWN_STALE] = { "stale", "failing syscalls of tasks that had been forgotten", true },
	[OWN_LOST_EVENTS] = { "lost_events", "events that the daemon had no memory for", true },
	[OWN_QUESTIONS_REFUSED] = { "questions_refused", "questions about state that did not wait",
				    true },
	[OWN_EXPLAIN_KILLED] = { "explain_killed", "helpers that got no answer in time", true },
	[OWN_QUEUE_DROPPED] = { "queue_dropped", "records given up while the disk was full", true },
	[OWN_SINK_DROPPED] = { "sink_dropped", "alerts that the command was too slow for", true },
	[OWN_SINK_FAILED] = { "sink_failed", "runs of the alert command that failed", true },
	[OWN_ALERT_OVERFLOW] = { "alert_overflow", "hits that the spike detector had no room for",
				 true },
	[OWN_CONTROL_REFUSED] = { "control_refused",
				  "connections of users who are not in the group", true },
	[OWN_CONTROL_MALFORMED] = { "control_malformed", "requests that could not be understood",
				    true },
	[OWN_CONTROL_SLOW] = { "control_slow",
			       "clients that did not read their replies, and were closed", true },
	[OWN_CONTROL_OVERFLOW] = { "control_overflow", "clients that found all connections taken",
				   true },
};

const struct counter *counters_find(const char *name)
{
	for (size_t i = 0; i < COUNTER_MAX; i++)
		if (strcmp(counters[i].name, name) == 0)
			return &counters[i];
	return NULL;
}
