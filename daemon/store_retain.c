/* SPDX-License-Identifier: GPL-2.0-only */
/* Retention: by age, then by size, in slices that the event loop does not notice. */
#include <errno.h>

#include "store_internal.h"

#define SLICE_NS    (4 * NSEC_PER_MSEC)
#define SLICE_PAGES 64 /* given back to the file system at once */

struct space {
	int64_t page, pages, unused;
};

static int space_get(struct store *s, struct space *ret)
{
	int r;

	r = db_scalar(s->h, "PRAGMA page_size", &ret->page);
	if (r >= 0)
		r = db_scalar(s->h, "PRAGMA page_count", &ret->pages);
	if (r >= 0)
		r = db_scalar(s->h, "PRAGMA freelist_count", &ret->unused);
	return r;
}

/* 1: *id is the oldest final task and has to go, 0: nothing has to. */
static int find_victim(struct store *s, int64_t before_ns, int64_t bytes, int64_t *id)
{
	_cleanup_stmt_ struct db_stmt q = {};
	struct space sp;
	int r;

	r = store_use(s, ST_OLDEST, &q);
	if (r < 0)
		return r;
	r = db_step(&q);
	if (r <= 0)
		return r;
	*id = db_get_int(&q, 0);
	if (db_get_int(&q, 1) < before_ns)
		return 1;
	r = space_get(s, &sp);
	if (r < 0)
		return r;
	return (sp.pages - sp.unused) * sp.page > bytes;
}

static int remove_of(struct store *s, enum store_statement which, int64_t id)
{
	_cleanup_stmt_ struct db_stmt q = {};
	int r;

	r = store_use(s, which, &q);
	if (r < 0)
		return r;
	db_int(&q, ":id", id);
	return db_run(&q);
}

/* Its calls may be very many: some of them a time, and with the last of them itself. */
static int remove_task(struct store *s, int64_t id)
{
	int r = remove_of(s, ST_CALLS_REMOVE, id);

	if (r < 0 || sqlite3_changes(s->h) > 0)
		return r;
	return remove_of(s, ST_TASK_REMOVE, id);
}

static int expire(struct store *s, enum store_statement which, int64_t before_ns)
{
	_cleanup_stmt_ struct db_stmt q = {};
	int r;

	r = store_use(s, which, &q);
	if (r < 0)
		return r;
	db_int(&q, ":before", before_ns);
	return db_run(&q);
}

/* Pages that are free go back while the file is over its bound. 1: more to do. */
static int shrink(struct store *s, int64_t bytes, int64_t deadline)
{
	struct space sp;
	char sql[64];
	int r;

	snprintf(sql, sizeof(sql), "PRAGMA incremental_vacuum(%d)", SLICE_PAGES);
	for (;;) {
		r = space_get(s, &sp);
		if (r < 0)
			return r;
		if (sp.unused == 0 || sp.pages * sp.page <= bytes)
			return 0;
		if (util_now_boottime() > deadline)
			return 1;
		r = db_exec(s->h, sql);
		if (r < 0)
			return r;
	}
}

static int slice(struct store *s, int64_t before_ns, int64_t bytes, int64_t deadline)
{
	int64_t id;
	int r;

	while ((r = find_victim(s, before_ns, bytes, &id)) > 0) {
		r = remove_task(s, id);
		if (r < 0)
			return r;
		if (util_now_boottime() > deadline)
			return 1;
	}
	if (r >= 0)
		r = expire(s, ST_ALERT_EXPIRE, before_ns);
	if (r >= 0)
		r = expire(s, ST_GAP_EXPIRE, before_ns);
	return r < 0 ? r : shrink(s, bytes, deadline);
}

int store_retain(struct store *s, int64_t now_ns, int64_t age_ns, int64_t bytes)
{
	int64_t deadline = util_now_boottime() + SLICE_NS;
	int r, more;

	r = db_exec(s->h, "BEGIN IMMEDIATE");
	if (r < 0)
		return r;
	more = slice(s, now_ns - age_ns, bytes, deadline);
	r = more < 0 ? more : db_exec(s->h, "COMMIT");
	if (r < 0)
		store_rollback(s);
	return r < 0 ? r : more;
}
