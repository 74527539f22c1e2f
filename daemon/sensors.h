/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel programs: opened, fitted to this kernel, loaded, attached. Nobody else knows the
 * skeleton.
 */
#ifndef SANDFAULT_SENSORS_H
#define SANDFAULT_SENSORS_H

#include "../bpf/event.h"
#include "record.h"

struct sensors;

struct sensors_settings {
	uint32_t signature_entries; /* of each of the two signature maps; 0: as built */
	uint32_t budget;	    /* new signatures per task and generation */
	uint32_t channel_ring;	    /* bytes, a power of two of pages at least; 0: as built */
	const char *off; /* names of what is not to be used, commas between; NULL: nothing */
};

struct sensors_maps {
	int cgroups, scoped, instances;
	int sig[2], sig_slot;
	int coarse[2], coarse_slot;
	int bells, rare, urgent;
	int channel; /* ring; what was watched and what was recognised for it: */
	int watched, watched_cgroups, streams;
	int counters;
};

/* What the programs share with us besides maps; only atomically. */
struct sensors_knobs {
	__u64 *watched_count, *watched_cgroups_count, *stream_count, *channel_losses;
	__u64 *scoped_count;
	__u32 *exec_watch, *generation;
};

/* Loads. On failure *why (owned) is one line: what is missing and what to do. */
int sensors_open(struct sensors **ret, const struct sensors_settings *settings, char **why);
/* Attaches: sys_enter before sys_exit, so that no call is seen to leave that was not seen to
 * enter. */
int sensors_attach(struct sensors *s, char **why);
void sensors_close(struct sensors *s); /* detaches in the opposite order */

const struct sensors_maps *sensors_maps(const struct sensors *s);
/* One record a sensor, borrowed. */
const struct sensor_record *sensors_list(const struct sensors *s, size_t *n);
/* Sums over the CPUs. */
int sensors_counters(const struct sensors *s, uint64_t ret[SF_C_MAX]);
/* Runs that the kernel skipped because the program was running on that CPU already, over all
 * programs: each is an event that was not seen, and one of sys_enter can make a call look refused. 0 on
 * a healthy machine. */
uint64_t sensors_recursion_misses(const struct sensors *s);
/* The programs on syscalls are skipped on a CPU where a bpf(2) call on a map is preempted (perf's
 * tracepoints and those calls have one guard, bpf_prog_active): whoever makes long ones should not be. */
bool sensors_share_guard(const struct sensors *s);

/* What the daemon changes while the programs run; of any thread. */
uint32_t sensors_next_generation(struct sensors *s);
void sensors_set_scoped(struct sensors *s, uint64_t count);

/*
 * Tools' channels. Those of tasks are always looked for, those of a process outside, with the
 * descendants that it makes from here on, or of a cgroup, without those below it, where it is said.
 * Each `on` of a process wants one `off`, also where it has ended meanwhile. 0 or -errno (-E2BIG: too
 * many). Of the loop's thread.
 */
int sensors_watch(struct sensors *s, uint32_t tgid, bool on);
int sensors_watch_cgroup(struct sensors *s, uint64_t cgroup, bool on);
/* Programs started outside of every task are told of, as SF_EV_EXEC in the ring of channels. */
void sensors_watch_execs(struct sensors *s, bool on);
/* A stream is no longer captured, until it is recognised again. */
void sensors_forget_stream(struct sensors *s, uint64_t stream);
/* All streams that were not used since (boottime ns): their ends may be gone. How many. */
size_t sensors_forget_idle(struct sensors *s, uint64_t since);

/* What was lost of channels since the programs were loaded: grows where anything was. No call of the
 * kernel's, unlike the counters. */
uint64_t sensors_channel_losses(const struct sensors *s);

const struct sensors_knobs *sensors_knobs(const struct sensors *s);

#endif
