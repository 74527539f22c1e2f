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

#define SENSORS		8
#define SENSOR_PROGRAMS 4

/* A question to the kernel: which of the programs fit? */
typedef bool (*sensor_fits_fn)(const struct btf *btf, const char *program);

struct sensor {
	const char *name;
	bool optional;
	const char *tracepoint;		       /* its absence is the sensor's; NULL: not asked */
	const char *programs[SENSOR_PROGRAMS]; /* in the order of attaching */
	sensor_fits_fn fits;		       /* NULL: all fit */
	const char *lost;		       /* what is lost without it */
};

extern const struct sensor sensor_table[SENSORS];

/* The prototype of a tracepoint, from the type that its BTF programs are checked against; borrowed
 * from btf. NULL: this kernel has no such tracepoint. */
const struct btf_type *sensor_tracepoint(const struct btf *btf, const char *name);

#endif
