/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which programs of a sensor fit this kernel, and what is said where some do not. Asks BTF and the
 * grants; changes nothing.
 */
#ifndef SANDFAULT_SENSORS_CHOICE_H
#define SANDFAULT_SENSORS_CHOICE_H

#include "grants.h"
#include "sensors_table.h"

struct bpf_link;
struct bpf_object;
struct bpf_program;

struct sensor_choice {
	bool load[SENSOR_PROGRAMS];
	const char *state; /* NULL: it is to be loaded */
	char reason[320];  /* why not, or by what and without what; empty: nothing to say */
};

void sensor_choose(const struct sensor_ask *ask, const struct sensor *t,
		   const struct bpf_object *obj, struct sensor_choice *ret);
/* Attaches the one program `p` to all functions that the sensor's other programs would watch. *hooks
 * gets a bit for each hook among them. NULL with errno set. */
struct bpf_link *sensor_attach_many(const struct sensor_ask *ask, const struct sensor *t,
				    const struct bpf_program *p, uint64_t *hooks);

#endif
