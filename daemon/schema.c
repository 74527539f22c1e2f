/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>

#include "db.h"
#include "log.h"
#include "schema.h"
#include "store.h"

/* schema.sql and so on, made strings by the Makefile */
extern const char schema_sql[], schema_call_sql[];

const struct migration schema_migrations[] = {
	{ "the first version", schema_sql },
	{ "tool calls", schema_call_sql },
};
const size_t schema_version = ARRAY_SIZE(schema_migrations);
_Static_assert(ARRAY_SIZE(schema_migrations) == STORE_VERSION, "a step for every version");

static int migrate_step(sqlite3 *h, const struct migration *step, size_t version)
{
	char mark[96];
	int r;

	snprintf(mark, sizeof(mark),
		 "PRAGMA application_id = %d; PRAGMA user_version = %zu; COMMIT", DB_APPLICATION_ID,
		 version);
	r = db_exec(h, "BEGIN IMMEDIATE");
	if (r >= 0)
		r = db_exec(h, step->sql);
	if (r >= 0)
		r = db_exec(h, mark);
	if (r >= 0)
		return 0;
	log_error("migration to version %zu (%s): %s", version, step->what, sqlite3_errmsg(h));
	if (!sqlite3_get_autocommit(h))
		db_exec(h, "ROLLBACK");
	return r;
}

int schema_migrate(sqlite3 *h, const struct migration *steps, size_t n)
{
	int64_t version = 0;
	int r;

	r = db_scalar(h, "PRAGMA user_version", &version);
	if (r < 0)
		return r;
	if (version < 0 || (size_t)version > n)
		return -EPROTO;
	for (size_t i = (size_t)version; i < n; i++) {
		r = migrate_step(h, &steps[i], i + 1);
		if (r < 0)
			return r;
	}
	return 0;
}
