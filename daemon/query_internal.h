/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the query side share; the store wraps its own handle by it. */
#ifndef SANDFAULT_QUERY_INTERNAL_H
#define SANDFAULT_QUERY_INTERNAL_H

#include "db.h"
#include "query.h"

enum query_statement {
	QS_TASK,
	QS_LABELS,
	QS_FAILURES,	 /* fatal and contributing ones of a task */
	QS_FAILURES_ALL, /* handled ones too */
	QS_FAILURE,
	QS_MAX,
};

struct query {
	sqlite3 *h;
	bool owned;
	sqlite3_stmt *slots[QS_MAX];
};

/* Reads through somebody else's handle. */
int query_wrap(struct query **ret, sqlite3 *h);
/* Tasks that are not final, oldest first, without failures. */
int query_open_tasks(struct query *q, struct task_record **ret, size_t *n);

/* A statement that one function keeps, to bind it again and again. */
static inline void query_slot_free(sqlite3_stmt **st)
{
	sqlite3_finalize(*st);
}
#define _cleanup_slot_ _cleanup_(query_slot_free)

/* Ids are fetched first and records one by one after them, so that no read transaction stays
 * open while a callback blocks on a pipe (the writer could not reuse its log meanwhile). */
struct id_list {
	int64_t *ids;
	size_t n, cap;
};
static inline void id_list_free(struct id_list *l)
{
	free(l->ids);
}

/* SQL that grows, with its values: a condition that is not asked for is not there. */
struct clause {
	char *sql; /* valid after clause_end() */
	size_t size;
	FILE *f;
	struct bind {
		const char *text; /* NULL: number */
		size_t len;	  /* of text; blob where `blob` */
		bool blob;
		int64_t number;
	} * binds;
	size_t n_binds, cap;
	bool failed;
};
int clause_begin(struct clause *c);
/* Appends SQL, which may hold one `?`. */
void clause_add(struct clause *c, const char *sql);
void clause_text(struct clause *c, const char *sql, const char *value, size_t len);
void clause_blob(struct clause *c, const char *sql, const char *value);
void clause_number(struct clause *c, const char *sql, int64_t value);
int clause_prepare(struct query *q, struct clause *c, struct db_stmt *ret);
int clause_ids(struct query *q, struct clause *c, struct id_list *ret);
void clause_free(struct clause *c);

/* " AND …" conditions of a filter on `t` (task): identity and labels. */
void filter_identity(struct clause *c, const struct query_filter *f);
/* … the latest attempt, where no attempt is asked for. */
void filter_latest(struct clause *c, const struct query_filter *f);
/* … level, primitive and cause of the row called `alias`. */
void filter_kind(struct clause *c, const struct query_filter *f, const char *alias);
/* … dispositions that count; handled ones too with `all`. */
void filter_disposition(struct clause *c, const struct query_filter *f, const char *alias);
/* … final tasks of which the campaign says something else than their failures. */
void filter_disagree(struct clause *c, const struct query_filter *f);
bool filter_has_identity(const struct query_filter *f);

#endif
