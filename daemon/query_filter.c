/* SPDX-License-Identifier: GPL-2.0-only */
/* From a filter to SQL. Every value is bound, none is pasted. */
#include <errno.h>
#include <string.h>

#include "query_internal.h"

int clause_begin(struct clause *c)
{
	c->f = open_memstream(&c->sql, &c->size);
	return c->f ? 0 : -ENOMEM;
}

void clause_free(struct clause *c)
{
	if (c->f)
		fclose(c->f);
	free(c->sql);
	free(c->binds);
}

void clause_add(struct clause *c, const char *sql)
{
	if (fputs(sql, c->f) < 0)
		c->failed = true;
}

static void add_bind(struct clause *c, const char *sql, struct bind b)
{
	void *p = c->binds;

	clause_add(c, sql);
	if (util_grow(&p, &c->cap, c->n_binds + 1, sizeof(b)) < 0) {
		c->failed = true;
		return;
	}
	c->binds = p;
	c->binds[c->n_binds++] = b;
}

void clause_text(struct clause *c, const char *sql, const char *value, size_t len)
{
	add_bind(c, sql, (struct bind){ .text = value, .len = len });
}

void clause_blob(struct clause *c, const char *sql, const char *value)
{
	add_bind(c, sql, (struct bind){ .text = value, .len = strlen(value), .blob = true });
}

void clause_number(struct clause *c, const char *sql, int64_t value)
{
	add_bind(c, sql, (struct bind){ .number = value });
}

static int bind_one(sqlite3_stmt *st, int i, const struct bind *b)
{
	if (!b->text)
		return sqlite3_bind_int64(st, i, b->number);
	if (b->blob)
		return sqlite3_bind_blob64(st, i, b->text, b->len, SQLITE_TRANSIENT);
	return sqlite3_bind_text64(st, i, b->text, b->len, SQLITE_TRANSIENT, SQLITE_UTF8);
}

int clause_prepare(struct query *q, struct clause *c, struct db_stmt *ret)
{
	int r;

	if (fclose(c->f) != 0)
		c->failed = true;
	c->f = NULL;
	if (c->failed)
		return -ENOMEM;
	r = db_prepare(q->h, c->sql, ret);
	for (size_t i = 0; i < c->n_binds && r >= 0; i++)
		if (bind_one(ret->st, (int)i + 1, &c->binds[i]))
			r = db_errno(q->h);
	return r;
}

int clause_ids(struct query *q, struct clause *c, struct id_list *ret)
{
	_cleanup_stmt_ struct db_stmt s = {};
	int r;

	r = clause_prepare(q, c, &s);
	if (r < 0)
		return r;
	while ((r = db_step(&s)) > 0) {
		void *p = ret->ids;

		if (util_grow(&p, &ret->cap, ret->n + 1, sizeof(*ret->ids)) < 0)
			return -ENOMEM;
		ret->ids = p;
		ret->ids[ret->n++] = db_get_int(&s, 0);
	}
	return r;
}

static void add_string(struct clause *c, const char *sql, const char *value)
{
	if (value)
		clause_text(c, sql, value, strlen(value));
}

static void add_label(struct clause *c, const char *label)
{
	const char *eq = strchrnul(label, '=');

	clause_text(c, " AND EXISTS (SELECT 1 FROM label l WHERE l.task = t.id AND l.name = ?",
		    label, (size_t)(eq - label));
	if (*eq)
		clause_text(c, " AND l.value = ?", eq + 1, strlen(eq + 1));
	clause_add(c, ")");
}

bool filter_has_identity(const struct query_filter *f)
{
	return f->campaign || f->task || f->attempt || f->outcome || f->state ||
	       (f->labels && f->labels[0]);
}

void filter_identity(struct clause *c, const struct query_filter *f)
{
	add_string(c, " AND t.campaign = ?", f->campaign);
	add_string(c, " AND t.name = ?", f->task);
	if (f->attempt)
		clause_number(c, " AND t.attempt = ?", f->attempt);
	for (const char *const *l = f->labels; l && *l; l++)
		add_label(c, *l);
}

void filter_latest(struct clause *c, const struct query_filter *f)
{
	if (!f->attempt && !f->all_attempts)
		clause_add(c, " AND NOT EXISTS (SELECT 1 FROM task n WHERE n.campaign = t.campaign"
			      " AND n.name = t.name AND n.attempt > t.attempt)");
}

/* `alias` is one of ours, a single letter. */
static void add_column(struct clause *c, const char *alias, const char *column, const char *value)
{
	char sql[64];

	snprintf(sql, sizeof(sql), " AND %s.%s = ?", alias, column);
	add_string(c, sql, value);
}

void filter_kind(struct clause *c, const struct query_filter *f, const char *alias)
{
	add_column(c, alias, "level", f->level);
	add_column(c, alias, "primitive", f->primitive);
	add_column(c, alias, "cause", f->cause);
}

void filter_disposition(struct clause *c, const struct query_filter *f, const char *alias)
{
	char sql[96];

	snprintf(sql, sizeof(sql), " AND %s.disposition IN ('fatal', 'contributing'%s)", alias,
		 f->all ? ", 'handled'" : "");
	clause_add(c, sql);
}

/* It passed, and something was found; it failed, and no fault of the platform or of the tool layer
 * was. */
void filter_disagree(struct clause *c, const struct query_filter *f)
{
	if (!f->disagree)
		return;
	clause_add(c, " AND t.state = 'final' AND t.result IS NOT NULL AND CASE t.result"
		      " WHEN 'pass' THEN EXISTS (SELECT 1 FROM failure d WHERE d.task = t.id"
		      " AND d.disposition IN ('fatal', 'contributing'))"
		      " ELSE NOT EXISTS (SELECT 1 FROM failure d WHERE d.task = t.id"
		      " AND d.disposition IN ('fatal', 'contributing')"
		      " AND d.level <> 'workload') END");
}
