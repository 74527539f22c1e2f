/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of named constants, for names_decisive.c. */
#ifndef SANDFAULT_NAMES_VALUES_H
#define SANDFAULT_NAMES_VALUES_H

#include <linux/sched.h>
#include <stdarg.h>

#include "names_table.h"

struct names_list {
	const struct names_value *values;
	size_t count;
};

extern const struct names_list names_families;
extern const struct names_list names_socketcalls;
extern const struct names_list names_clone_flags; /* CLONE_NEW* first */
extern const struct names_list names_prctls;
extern const struct names_list names_arch_prctls;
extern const struct names_list names_ioctls;
extern const struct names_list names_fcntls;
extern const struct names_list names_ptraces;
extern const struct names_list names_personalities;
extern const struct names_list names_seccomps;
extern const struct names_list names_bpfs;
extern const struct names_list names_keyctls;
extern const struct names_list names_rlimits;
extern const struct names_list names_policies;
extern const struct names_list names_file_types;

#endif
