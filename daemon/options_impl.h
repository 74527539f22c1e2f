/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by options*.c alone. */
#ifndef SANDFAULT_OPTIONS_IMPL_H
#define SANDFAULT_OPTIONS_IMPL_H

#include "options.h"

enum options_kind {
	KEY_PATH,	 /* char * */
	KEY_COMMAND,	 /* char *, NULL: none */
	KEY_NAME,	 /* char *, NULL: none */
	KEY_TEMPLATE,	 /* appended to char **, which a size_t follows that counts */
	KEY_PATTERN,	 /* likewise */
	KEY_CGROUP,	 /* likewise */
	KEY_DURATION,	 /* int64_t ns */
	KEY_SIZE,	 /* int64_t bytes */
	KEY_COUNT,	 /* int64_t */
	KEY_U32,	 /* uint32_t */
	KEY_PROBABILITY, /* double */
	KEY_LEVEL,	 /* int */
	KEY_SWITCH,	 /* bool: on, off */
	KEY_SENSORS,	 /* char *: names, commas between; a further one is appended */
};

struct options_key {
	const char *name;
	enum options_kind kind;
	size_t offset; /* in struct options */
	int64_t min, max;
	bool live; /* options_reload() takes it over */
};

extern const struct options_key options_keys[];
extern const size_t options_n_keys;

const struct options_key *options_find(const char *key); /* NULL: unknown */
bool options_is_list(const struct options_key *k);

#endif
