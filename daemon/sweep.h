/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sweep: a thread that swaps the signature maps, because the swap waits for an RCU grace period
 * (14 ms, at most 62), reads the quiet ones, and clears them once the loop has taken them over. A
 * map is never deleted from while the kernel writes to it.
 */
#ifndef SANDFAULT_SWEEP_H
#define SANDFAULT_SWEEP_H

#include "sensors.h"

struct sweep;

struct sweep_result {
	uint64_t ticket;
	uint32_t generation;
	int error;	     /* 0, or why the maps could not be read */
	struct sf_key *keys; /* of both kinds of maps */
	struct sf_val *vals;
	size_t n;
	uint64_t *instance_ids;
	struct sf_instance *instances;
	size_t n_instances;
};

int sweep_new(struct sweep **ret, struct sensors *sensors, int64_t interval_ns);
void sweep_free(struct sweep *s); /* stops the thread */
/* Readable where a result is there. */
int sweep_fd(const struct sweep *s);
/* Asks for a sweep that begins from now on; what happened before is in the result that carries the
 * returned ticket, or a later one. */
uint64_t sweep_request(struct sweep *s);
/* The result, NULL: none yet. It stays valid until sweep_done(), after which the maps are cleared. */
const struct sweep_result *sweep_take(struct sweep *s);
void sweep_done(struct sweep *s);
/* The same as sweep_take(), but waits for it; for the daemon's end. */
const struct sweep_result *sweep_wait(struct sweep *s, int timeout_ms);

#endif
