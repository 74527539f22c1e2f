/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the two sides of the database share: statements that are prepared once, named binds, bytes
 * in and out, and SQLite's results as negative errno. Only the store and the query side include
 * this.
 */
#ifndef SANDFAULT_DB_H
#define SANDFAULT_DB_H

#include <sqlite3.h>

#include "record.h"

/* "SFLT", in the header of every database of ours. */
#define DB_APPLICATION_ID 0x53464c54

/* -errno for the last error of this connection: -ENOSPC, -EIO, -EBUSY, -EUCLEAN (corrupt), -EINVAL
 * (a constraint), … */
int db_errno(sqlite3 *h);
/* The same, of a result code; `sys` is the errno behind it, 0: unknown. */
int db_errno_of(int rc, int sys);

/* Runs SQL without results. */
int db_exec(sqlite3 *h, const char *sql);
/* First column of the first row; 0 where there is no row or it is NULL. */
int db_scalar(sqlite3 *h, const char *sql, int64_t *ret);

/*
 * A statement in use. The first error of a bind is kept and comes out of the step. Leaving the
 * scope resets a cached statement and finalizes one of its own.
 */
struct db_stmt {
	sqlite3_stmt *st;
	int rc; /* SQLite's */
	bool owned;
};
#define _cleanup_stmt_ _cleanup_(db_done)

/* From a slot of a cache: prepared at the first use, kept. */
int db_use(sqlite3 *h, sqlite3_stmt **slot, const char *sql, struct db_stmt *ret);
/* Prepared for this one use. */
int db_prepare(sqlite3 *h, const char *sql, struct db_stmt *ret);
void db_done(struct db_stmt *s);
void db_finalize(sqlite3_stmt **slots, size_t n);

void db_int(struct db_stmt *s, const char *name, int64_t v);
void db_int_or_null(struct db_stmt *s, const char *name, int64_t v, int64_t null);
void db_real(struct db_stmt *s, const char *name, double v);
void db_str(struct db_stmt *s, const char *name, const char *v);	 /* NULL -> NULL */
void db_blob(struct db_stmt *s, const char *name, const struct text *v); /* no data -> NULL */
/* 1: a row, 0: done, -errno. */
int db_step(struct db_stmt *s);
/* To the end, rows are ignored. */
int db_run(struct db_stmt *s);

/* Columns. Strings are owned; NULL stays NULL; what lies behind a NUL in a string is left out. */
int64_t db_get_int(struct db_stmt *s, int col);
int db_get_str(struct db_stmt *s, int col, char **ret);
int db_get_text(struct db_stmt *s, int col, struct text *ret);
const char *db_peek(struct db_stmt *s, int col); /* borrowed until the next step, never NULL */

/* A list of strings as a JSON array and back; bytes stay as they are. */
char *db_list_encode(char *const *list, size_t n);
int db_list_decode(const char *json, char ***ret, size_t *n);

#endif
