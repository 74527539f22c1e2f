/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>

#include "taxonomy.h"

static const struct taxon taxa[] = {
#define X(id, lvl, prim, cse, mean, knob) [CAUSE_##id] = { LEVEL_##lvl, prim, cse, mean, knob },
	TAXONOMY(X)
#undef X
};
_Static_assert(ARRAY_SIZE(taxa) == CAUSE_MAX, "every cause has a row");

/* Defines the two directions of an enum's names. */
#define ENUM_NAMES(type, stem, max, ...)                                                           \
	static const char *const stem##_names[] = { __VA_ARGS__ };                                 \
	_Static_assert(ARRAY_SIZE(stem##_names) == (max), "every value has a name");               \
	const char *stem##_name(enum type v)                                                       \
	{                                                                                          \
		return (unsigned int)v < (max) ? stem##_names[v] : "unknown";                      \
	}                                                                                          \
	int stem##_parse(const char *s)                                                            \
	{                                                                                          \
		for (unsigned int i = 0; i < (max); i++)                                           \
			if (strcmp(stem##_names[i], s) == 0)                                       \
				return (int)i;                                                     \
		return -EINVAL;                                                                    \
	}

ENUM_NAMES(level, level, LEVEL_MAX, "sandbox", "interface", "workload")
ENUM_NAMES(disposition, disposition, DISP_MAX, "noise", "handled", "contributing", "fatal")
ENUM_NAMES(confidence, confidence, CONF_MAX, "possible", "likely", "certain")
ENUM_NAMES(outcome, outcome, OUTCOME_MAX, "unknown", "ok", "failed", "killed")
ENUM_NAMES(task_state, task_state, STATE_MAX, "running", "settling", "final")

const struct taxon *taxonomy_get(enum cause c)
{
	return &taxa[(unsigned int)c < CAUSE_MAX ? c : CAUSE_EXIT_NON_ZERO];
}

int taxonomy_find(const char *level, const char *primitive, const char *cause)
{
	for (int i = 0; i < CAUSE_MAX; i++)
		if (strcmp(level_name(taxa[i].level), level) == 0 &&
		    strcmp(taxa[i].primitive, primitive) == 0 && strcmp(taxa[i].cause, cause) == 0)
			return i;
	return -ENOENT;
}
