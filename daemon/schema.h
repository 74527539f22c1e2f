/* SPDX-License-Identifier: GPL-2.0-only */
/* Versions of the database, by PRAGMA user_version. */
#ifndef SANDFAULT_SCHEMA_H
#define SANDFAULT_SCHEMA_H

#include <stddef.h>

struct sqlite3;

/* Step i leads from version i to version i + 1; each runs in a transaction of its own. */
struct migration {
	const char *what;
	const char *sql;
};

extern const struct migration schema_migrations[];
extern const size_t schema_version; /* how many there are: the version of this program */

/* Brings the database to version n. 0 or -errno; a step that fails leaves the version before it. */
int schema_migrate(struct sqlite3 *h, const struct migration *steps, size_t n);

#endif
