/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counting. The rollup answers where the filter allows it: it knows kinds, tasks and whole
 * minutes. A subject, or a time within a minute, needs the failures themselves.
 */
#include <errno.h>
#include <string.h>

#include "query_internal.h"

#define MINUTE_NS (60 * NSEC_PER_SEC)

static bool rollup_suffices(const struct query_filter *f)
{
	return !f->subject && f->since_ns % MINUTE_NS == 0 && f->until_ns % MINUTE_NS == 0;
}

static const char *label_name(const char *key)
{
	return strncmp(key, "label.", 6) == 0 && key[6] ? key + 6 : NULL;
}

static int check_keys(const char *const *by, size_t n)
{
	if (n < 1 || n > 3)
		return -EINVAL;
	for (size_t i = 0; i < n; i++)
		if (strcmp(by[i], "level") != 0 && strcmp(by[i], "primitive") != 0 &&
		    strcmp(by[i], "cause") != 0 && !label_name(by[i]))
			return -EINVAL;
	return 0;
}

/* Key i as column k<i>. */
static void select_key(struct clause *c, const char *key, size_t i)
{
	const char *label = label_name(key);
	char sql[32];

	if (label) {
		clause_text(c,
			    "coalesce((SELECT l.value FROM label l WHERE l.task = r.task"
			    " AND l.name = ?), '(none)')",
			    label, strlen(label));
	} else {
		clause_add(c, "r.");
		clause_add(c, key);
	}
	snprintf(sql, sizeof(sql), " AS k%zu, ", i);
	clause_add(c, sql);
}

static void add_number(struct clause *c, const char *fmt, size_t i)
{
	char sql[32];

	snprintf(sql, sizeof(sql), fmt, i);
	clause_add(c, sql);
}

static void select_source(struct clause *c, const struct query_filter *f, bool rollup)
{
	if (rollup)
		clause_add(c, "sum(r.verdicts) AS v, sum(r.failures) AS n, sum(r.events) AS e"
			      " FROM rollup r");
	else
		clause_add(c, "sum(r.id = t.verdict) AS v, count(*) AS n, sum(r.count) AS e"
			      " FROM failure r");
	/* Left alone, SQLite prefers the order of the keys to the window. */
	if (!rollup && !f->subject && !filter_has_identity(f))
		clause_add(c, " INDEXED BY failure_first");
	if (!rollup || filter_has_identity(f))
		clause_add(c, " JOIN task t ON t.id = r.task");
	clause_add(c, " WHERE 1");
	filter_identity(c, f);
	if (f->outcome)
		clause_text(c, " AND t.outcome = ?", f->outcome, strlen(f->outcome));
	if (f->state)
		clause_text(c, " AND t.state = ?", f->state, strlen(f->state));
	filter_disposition(c, f, "r");
	filter_kind(c, f, "r");
	if (f->subject)
		clause_blob(c, " AND instr(r.subject, ?) > 0", f->subject);
	if (f->since_ns)
		clause_number(c, rollup ? " AND r.minute >= ?" : " AND r.first_ns >= ?",
			      rollup ? f->since_ns / MINUTE_NS : f->since_ns);
	if (f->until_ns)
		clause_number(c, rollup ? " AND r.minute < ?" : " AND r.first_ns < ?",
			      rollup ? f->until_ns / MINUTE_NS : f->until_ns);
}

/* Twice grouped: once by key and task, so that the outer count is one of distinct tasks. */
static void select_taxonomy(struct clause *c, const struct query_filter *f, const char *const *by,
			    size_t n_by)
{
	clause_add(c, "SELECT ");
	for (size_t i = 0; i < n_by; i++)
		add_number(c, "k%zu, ", i);
	clause_add(c, "count(*) AS tasks, sum(v > 0), sum(n) AS failures, sum(e) FROM (SELECT ");
	for (size_t i = 0; i < n_by; i++)
		select_key(c, by[i], i);
	select_source(c, f, rollup_suffices(f));
	clause_add(c, " GROUP BY ");
	for (size_t i = 0; i < n_by; i++)
		add_number(c, "k%zu, ", i);
	clause_add(c, "r.task) GROUP BY ");
	for (size_t i = 0; i < n_by; i++)
		add_number(c, i ? ", k%zu" : "k%zu", i);
	clause_add(c, " ORDER BY tasks DESC, failures DESC");
	for (size_t i = 0; i < n_by; i++)
		add_number(c, ", k%zu", i);
	if (f->limit > 0)
		clause_number(c, " LIMIT ?", f->limit);
}

static int row_of(struct db_stmt *s, size_t n_by, query_taxonomy_fn fn, void *arg)
{
	struct taxonomy_row row = {
		.tasks = db_get_int(s, (int)n_by),
		.verdicts = db_get_int(s, (int)n_by + 1),
		.failures = db_get_int(s, (int)n_by + 2),
		.events = db_get_int(s, (int)n_by + 3),
	};

	for (size_t i = 0; i < n_by; i++)
		row.key[i] = db_peek(s, (int)i);
	return fn(&row, arg);
}

int query_taxonomy(struct query *q, const struct query_filter *f, const char *const *by,
		   size_t n_by, query_taxonomy_fn fn, void *arg)
{
	_cleanup_(clause_free) struct clause c = {};
	_cleanup_stmt_ struct db_stmt s = {};
	int r;

	r = check_keys(by, n_by);
	if (r >= 0)
		r = clause_begin(&c);
	if (r < 0)
		return r;
	select_taxonomy(&c, f, by, n_by);
	r = clause_prepare(q, &c, &s);
	if (r < 0)
		return r;
	while ((r = db_step(&s)) > 0) {
		r = row_of(&s, n_by, fn, arg);
		if (r != 0)
			break;
	}
	return r;
}

int query_counts(struct query *q, const struct query_filter *f, struct task_counts *ret)
{
	_cleanup_(clause_free) struct clause c = {};
	_cleanup_stmt_ struct db_stmt s = {};
	int r;

	r = clause_begin(&c);
	if (r < 0)
		return r;
	clause_add(&c, "SELECT count(*), sum(state = 'final' AND outcome = 'ok'),"
		       " sum(state = 'final' AND outcome = 'failed'),"
		       " sum(state = 'final' AND outcome = 'killed'),"
		       " sum(state = 'final' AND outcome = 'unknown'), sum(state <> 'final'),"
		       " sum(verdict IS NOT NULL) FROM task t WHERE 1");
	filter_identity(&c, f);
	filter_latest(&c, f);
	if (f->since_ns)
		clause_number(&c, " AND t.started_ns >= ?", f->since_ns);
	if (f->until_ns)
		clause_number(&c, " AND t.started_ns < ?", f->until_ns);
	r = clause_prepare(q, &c, &s);
	if (r < 0)
		return r;
	r = db_step(&s);
	if (r < 0)
		return r;
	*ret = (struct task_counts){
		.tasks = db_get_int(&s, 0),
		.ok = db_get_int(&s, 1),
		.failed = db_get_int(&s, 2),
		.killed = db_get_int(&s, 3),
		.unknown = db_get_int(&s, 4),
		.running = db_get_int(&s, 5),
		.with_verdict = db_get_int(&s, 6),
	};
	return 0;
}
