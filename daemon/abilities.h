/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel programs can do only where the kernel is new enough: on an older one they run
 * with less, and that is told beside the sensors. Asked of BTF, as the programs themselves do.
 */
#ifndef SANDFAULT_ABILITIES_H
#define SANDFAULT_ABILITIES_H

#include "fit.h"

#define ABILITIES 3

struct ability {
	const char *name;
	const char *lost; /* what is lost without it */
	/* What this kernel lacks for it; NULL: nothing. */
	const char *(*lacks)(const struct btf *btf, const struct fit_kernel *kernel);
};

extern const struct ability ability_table[ABILITIES];

/* What nothing works without, and this kernel lacks; NULL: nothing. */
const char *abilities_floor(const struct btf *btf);

#endif
