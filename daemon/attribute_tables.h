/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables behind attribute.h, for its two files. */
#ifndef SANDFAULT_ATTRIBUTE_TABLES_H
#define SANDFAULT_ATTRIBUTE_TABLES_H

#include "attribute.h"

struct attribution {
	struct alias *aliases;
	struct cgroup_node *cgroups;
};

#endif
