/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>

#include "query_internal.h"
#include "query_row.h"

static void select_failures(struct clause *c, const struct query_filter *f)
{
	clause_add(c, "SELECT f.id FROM failure f");
	if (filter_has_identity(f))
		clause_add(c, " JOIN task t ON t.id = f.task");
	clause_add(c, " WHERE 1");
	filter_identity(c, f);
	if (f->outcome)
		clause_text(c, " AND t.outcome = ?", f->outcome, strlen(f->outcome));
	if (f->state)
		clause_text(c, " AND t.state = ?", f->state, strlen(f->state));
	filter_disposition(c, f, "f");
	filter_kind(c, f, "f");
	if (f->subject)
		clause_blob(c, " AND instr(f.subject, ?) > 0", f->subject);
	if (f->since_ns)
		clause_number(c, " AND f.first_ns >= ?", f->since_ns);
	if (f->until_ns)
		clause_number(c, " AND f.first_ns < ?", f->until_ns);
	clause_add(c, " ORDER BY f.first_ns DESC, f.id DESC");
	if (f->limit > 0)
		clause_number(c, " LIMIT ?", f->limit);
}

static int load_pair(struct query *q, sqlite3_stmt **slot, int64_t id, struct failure_record *f,
		     struct task_record *t)
{
	_cleanup_stmt_ struct db_stmt s = {};
	int r;

	r = db_use(q->h, slot,
		   "SELECT " FAILURE_COLUMNS ", " TASK_COLUMNS
		   " FROM failure f JOIN task t ON t.id = f.task WHERE f.id = :id",
		   &s);
	if (r < 0)
		return r;
	db_int(&s, ":id", id);
	r = db_step(&s);
	if (r <= 0)
		return r < 0 ? r : -ENOENT;
	r = query_read_failure(&s, 0, f);
	return r < 0 ? r : query_read_task(&s, FAILURE_N_COLUMNS, t);
}

int query_failures(struct query *q, const struct query_filter *f, query_failure_fn fn, void *arg)
{
	_cleanup_slot_ sqlite3_stmt *slot = NULL;
	_cleanup_(clause_free) struct clause c = {};
	_cleanup_(id_list_free) struct id_list list = {};
	int r;

	r = clause_begin(&c);
	if (r < 0)
		return r;
	select_failures(&c, f);
	r = clause_ids(q, &c, &list);
	if (r < 0)
		return r;
	for (size_t i = list.n; i-- > 0;) {
		_cleanup_(failure_record_clear) struct failure_record failure = {};
		_cleanup_(task_record_clear) struct task_record task = {};

		r = load_pair(q, &slot, list.ids[i], &failure, &task);
		if (r == -ENOENT) /* retention was here, or a cause of another version */
			continue;
		if (r >= 0)
			r = fn(&failure, &task, arg);
		if (r != 0)
			return r;
	}
	return 0;
}
