/* SPDX-License-Identifier: GPL-2.0-only */
/* Tool calls, and what befell their channels, read. */
#include <errno.h>
#include <json-c/json.h>
#include <string.h>

#include "query_internal.h"
#include "query_row.h"

/* ---- rows ---- */

/* 0, the first, where this version does not know the name. */
static int by_name(const char *name, const char *(*name_of)(int v), int n)
{
	for (int i = 0; i < n; i++)
		if (strcmp(name_of(i), name) == 0)
			return i;
	return 0;
}

static const char *end_of(int v)
{
	return call_end_name((enum call_end)v);
}

static const char *leg_of(int v)
{
	return call_leg_name((enum call_leg)v);
}

static const char *kind_of(int v)
{
	return incident_name((enum incident_kind)v);
}

static const char *string_in(struct json_object *o, const char *key)
{
	struct json_object *v = NULL;

	json_object_object_get_ex(o, key, &v);
	return v ? json_object_get_string(v) : "";
}

/* -ENOENT: the cause is none of this version's. */
static int read_fault(struct json_object *o, struct call_fault_record *ret)
{
	struct json_object *at = NULL, *sure = NULL, *subject = NULL;
	int cause = taxonomy_find(string_in(o, "level"), string_in(o, "primitive"),
				  string_in(o, "cause"));

	if (cause < 0)
		return -ENOENT;
	json_object_object_get_ex(o, "at", &at);
	json_object_object_get_ex(o, "sure", &sure);
	json_object_object_get_ex(o, "subject", &subject);
	*ret = (struct call_fault_record){
		.cause = (enum cause)cause,
		.leg = (enum call_leg)by_name(string_in(o, "leg"), leg_of, LEG_MAX),
		.sure = json_object_get_boolean(sure),
		.at = json_object_get_int64(at),
		.say = strdup(string_in(o, "say")),
	};
	if (ret->say && text_set(&ret->subject, subject ? json_object_get_string(subject) : "",
				 (size_t)json_object_get_string_len(subject)) == 0)
		return 0;
	free(ret->say);
	return -ENOMEM;
}

static void put_json(struct json_object **o)
{
	json_object_put(*o);
}

static int read_faults(struct db_stmt *s, int col, struct call_record *c)
{
	const char *json = db_peek(s, col);
	_cleanup_(put_json) struct json_object *list = *json ? json_tokener_parse(json) : NULL;
	size_t n = list && json_object_is_type(list, json_type_array)
			   ? json_object_array_length(list)
			   : 0;

	c->faults = n ? calloc(n, sizeof(*c->faults)) : NULL;
	if (n && !c->faults)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		int r = read_fault(json_object_array_get_idx(list, i), &c->faults[c->n_faults]);

		if (r == -ENOMEM)
			return r;
		c->n_faults += r == 0;
	}
	return 0;
}

static int read_strings(struct db_stmt *s, int col, struct call_record *c)
{
	if (db_get_str(s, col + 4, &c->rpc_id) < 0 || db_get_str(s, col + 5, &c->method) < 0 ||
	    db_get_str(s, col + 6, &c->tool) < 0 || db_get_text(s, col + 7, &c->subject) < 0 ||
	    db_get_str(s, col + 8, &c->args) < 0 || db_get_text(s, col + 13, &c->text) < 0)
		return -ENOMEM;
	snprintf(c->request_digest, sizeof(c->request_digest), "%s", db_peek(s, col + 15));
	snprintf(c->answer_digest, sizeof(c->answer_digest), "%s", db_peek(s, col + 17));
	return read_faults(s, col + 21, c);
}

int query_read_call(struct db_stmt *s, int col, struct call_record *ret)
{
	struct call_record c = {
		.id = db_get_int(s, col),
		.task_id = db_get_int(s, col + 1),
		.session = db_get_int(s, col + 2),
		.source = strcmp(db_peek(s, col + 3), "harness") == 0 ? CALL_TOLD : CALL_SEEN,
		.started_ns = db_get_int(s, col + 9),
		.ended_ns = db_get_int(s, col + 10),
		.end = (enum call_end)by_name(db_peek(s, col + 11), end_of, CALL_END_MAX),
		.code = (int)db_get_int(s, col + 12),
		.request_len = db_get_int(s, col + 14),
		.answer_len = db_get_int(s, col + 16),
		.cut = db_get_int(s, col + 18),
		.server_pid = db_get_int(s, col + 19),
		.client_pid = db_get_int(s, col + 20),
	};

	if (read_strings(s, col, &c) < 0) {
		call_record_clear(&c);
		return -ENOMEM;
	}
	*ret = c;
	return 0;
}

int query_read_incident(struct db_stmt *s, int col, struct incident_record *ret)
{
	struct incident_record i = {
		.id = db_get_int(s, col),
		.task_id = db_get_int(s, col + 1),
		.session = db_get_int(s, col + 2),
		.kind = (enum incident_kind)by_name(db_peek(s, col + 3), kind_of, INCIDENT_MAX),
		.at_ns = db_get_int(s, col + 4),
		.pid = db_get_int(s, col + 5),
		.other_pid = db_get_int(s, col + 6),
		.by_server = db_get_int(s, col + 7),
		.err = (int)db_get_int(s, col + 8),
		.bytes = db_get_int(s, col + 9),
		.open = db_get_int(s, col + 10),
	};

	if (db_get_str(s, col + 11, &i.say) < 0)
		return -ENOMEM;
	*ret = i;
	return 0;
}

/* ---- queries ---- */

static int load_pair(struct query *q, sqlite3_stmt **slot, int64_t id, struct call_record *c,
		     struct task_record *t)
{
	_cleanup_stmt_ struct db_stmt s = {};
	int r;

	r = db_use(q->h, slot,
		   "SELECT " CALL_COLUMNS ", " TASK_COLUMNS
		   " FROM call c JOIN task t ON t.id = c.task WHERE c.id = :id",
		   &s);
	if (r < 0)
		return r;
	db_int(&s, ":id", id);
	r = db_step(&s);
	if (r <= 0)
		return r < 0 ? r : -ENOENT;
	r = query_read_call(&s, 0, c);
	return r < 0 ? r : query_read_task(&s, CALL_N_COLUMNS, t);
}

/* Newest first in `list`, oldest first to fn. */
static int each(struct query *q, const struct id_list *list, query_call_fn fn, void *arg)
{
	_cleanup_slot_ sqlite3_stmt *slot = NULL;

	for (size_t i = list->n; i-- > 0;) {
		_cleanup_(call_record_clear) struct call_record c = {};
		_cleanup_(task_record_clear) struct task_record t = {};
		int r = load_pair(q, &slot, list->ids[i], &c, &t);

		if (r == -ENOENT) /* retention was here */
			continue;
		if (r >= 0)
			r = fn(&c, &t, arg);
		if (r != 0)
			return r;
	}
	return 0;
}

static void select_calls(struct clause *c, const struct query_filter *f)
{
	clause_add(c, "SELECT c.id FROM call c");
	if (filter_has_identity(f))
		clause_add(c, " JOIN task t ON t.id = c.task");
	clause_add(c, " WHERE 1");
	filter_identity(c, f);
	if (f->tool)
		clause_blob(c, " AND c.tool = ?", f->tool);
	if (f->subject)
		clause_blob(c, " AND instr(c.subject, ?) > 0", f->subject);
	if (f->failed)
		clause_add(c, " AND (c.failed OR c.n_faults > 0)");
	if (f->since_ns)
		clause_number(c, " AND c.started_ns >= ?", f->since_ns);
	if (f->until_ns)
		clause_number(c, " AND c.started_ns < ?", f->until_ns);
	clause_add(c, " ORDER BY c.started_ns DESC, c.id DESC");
	if (f->limit > 0)
		clause_number(c, " LIMIT ?", f->limit);
}

int query_calls(struct query *q, const struct query_filter *f, query_call_fn fn, void *arg)
{
	_cleanup_(clause_free) struct clause c = {};
	_cleanup_(id_list_free) struct id_list list = {};
	int r;

	r = clause_begin(&c);
	if (r < 0)
		return r;
	select_calls(&c, f);
	r = clause_ids(q, &c, &list);
	return r < 0 ? r : each(q, &list, fn, arg);
}

int query_task_calls(struct query *q, int64_t task_id, query_call_fn fn, void *arg)
{
	_cleanup_(clause_free) struct clause c = {};
	_cleanup_(id_list_free) struct id_list list = {};
	int r;

	r = clause_begin(&c);
	if (r < 0)
		return r;
	clause_number(&c, "SELECT id FROM call WHERE task = ?", task_id);
	clause_add(&c, " ORDER BY started_ns DESC, id DESC");
	r = clause_ids(q, &c, &list);
	return r < 0 ? r : each(q, &list, fn, arg);
}

int query_incidents(struct query *q, int64_t task_id, query_incident_fn fn, void *arg)
{
	_cleanup_(clause_free) struct clause c = {};
	_cleanup_stmt_ struct db_stmt s = {};
	int r;

	r = clause_begin(&c);
	if (r < 0)
		return r;
	clause_number(&c, "SELECT " INCIDENT_COLUMNS " FROM incident i WHERE i.task = ?", task_id);
	clause_add(&c, " ORDER BY i.at_ns, i.id");
	r = clause_prepare(q, &c, &s);
	while (r >= 0 && (r = db_step(&s)) > 0) {
		_cleanup_(incident_record_clear) struct incident_record i = {};

		r = query_read_incident(&s, 0, &i);
		if (r >= 0)
			r = fn(&i, arg);
		if (r != 0)
			break;
	}
	return r;
}
