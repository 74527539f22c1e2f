/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sensors: what each asks of the kernel, its programs, and what is lost without it. One row a
 * sensor, in the order of attaching.
 */
#ifndef SANDFAULT_SENSORS_TABLE_H
#define SANDFAULT_SENSORS_TABLE_H

#include <stdbool.h>

struct btf;
struct btf_type;

#define SENSORS		16
#define SENSOR_PROGRAMS 40

struct grants;

struct sensor_ask {
	const struct btf *btf;
	const struct grants *grants;
	bool capabilities; /* that sensor, which comes before those that build on it, is loaded */
};

/* A question to the kernel: which of the programs fit? */
typedef bool (*sensor_fits_fn)(const struct sensor_ask *ask, const char *program);

struct sensor {
	const char *name;
	bool optional;
	const char *tracepoint;		       /* its absence is the sensor's; NULL: not asked */
	const char *programs[SENSOR_PROGRAMS]; /* in the order of attaching */
	sensor_fits_fn fits;		       /* NULL: all fit */
	bool one_way; /* they see the same in several ways: tracepoint, fexit, kprobe; one does */
	const char *lost; /* what is lost without it */
	const char *slot; /* map of programs that it is put into, to be called; NULL: attached */
};

extern const struct sensor sensor_table[SENSORS];

/* Is there an optional sensor, or a grant, of that name? */
bool sensor_can_be_off(const char *name);
/* Is the name in a list of names with commas between? NULL: an empty one. */
bool sensor_in_list(const char *list, const char *name);

/* The prototype of a tracepoint, from the type that its BTF programs are checked against; borrowed
 * from btf. NULL: this kernel has no such tracepoint. */
const struct btf_type *sensor_tracepoint(const struct btf *btf, const char *name);

#endif
