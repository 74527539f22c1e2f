/* SPDX-License-Identifier: GPL-2.0-only */
/* Why the kernel programs can't run, in one line: what is missing and what to do. */
#ifndef SANDFAULT_SENSORS_WHY_H
#define SANDFAULT_SENSORS_WHY_H

#include "util.h"

/* *why (owned) is replaced. */
void sensors_say(char **why, const char *fmt, ...) _printf_(2, 3);
/* Of a load that failed with `err` (negative), from what libbpf said meanwhile; returns err. */
int sensors_load_failed(int err, char **why);

#endif
