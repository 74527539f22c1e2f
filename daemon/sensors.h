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
	const char *off; /* names of what is not to be used, commas between; NULL: nothing */
};

struct sensors_maps {
	int cgroups, scoped, instances;
	int sig[2], sig_slot;
	int coarse[2], coarse_slot;
	int bells, rare, urgent;
	int counters;
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

#endif
