/* SPDX-License-Identifier: GPL-2.0-only */
/* The rows behind names.h; only names*.c include it. */
#ifndef SANDFAULT_NAMES_TABLE_H
#define SANDFAULT_NAMES_TABLE_H

#include "names.h"

struct names_row {
	const char *name;
	uint32_t class; /* enum sys_class */
	struct sf_sys sys;
};

/* Syscalls by name, every ABI's in one table. */
extern const struct names_row names_rows[];
extern const size_t names_rows_count;

/* Rows of a compat ABI whose arguments lie elsewhere than in the native call of that name. */
extern const struct names_row names_rows_compat[];
extern const size_t names_rows_compat_count;

/* Numbers that are younger than libseccomp. All architectures share them (the generic table of
 * include/uapi/asm-generic/unistd.h, since 424). */
struct names_number {
	const char *name;
	int nr;
};
extern const struct names_number names_young[];
extern const size_t names_young_count;

/* A named constant. */
struct names_value {
	uint64_t value;
	const char *name;
};

/* AF_*; NULL where unknown. */
const char *names_family(unsigned int family);

#endif
