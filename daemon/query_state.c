/* SPDX-License-Identifier: GPL-2.0-only */
/* What is no task: alerts, sensors, counters, tallies, the daemon itself. */
#include <errno.h>
#include <string.h>

#include "query_internal.h"

static int read_alert(struct db_stmt *s, struct alert_record *a)
{
	int level = level_parse(db_peek(s, 1));

	a->id = db_get_int(s, 0);
	a->level = level < 0 ? LEVEL_SANDBOX : level;
	a->firing = strcmp(db_peek(s, 4), "firing") == 0;
	a->fired_ns = db_get_int(s, 5);
	a->resolved_ns = db_get_int(s, 6);
	a->tasks = db_get_int(s, 7);
	a->expected = sqlite3_column_double(s->st, 8);
	a->window_ns = db_get_int(s, 9);
	if (db_get_str(s, 2, &a->primitive) < 0 || db_get_str(s, 3, &a->campaign) < 0)
		return -ENOMEM;
	return db_list_decode(db_peek(s, 10), &a->examples, &a->n_examples);
}

static void select_alerts(struct clause *c, const struct query_filter *f)
{
	clause_add(c, "SELECT * FROM (SELECT id, level, primitive, campaign, state, fired_ns,"
		      " resolved_ns, tasks, expected, window_ns, examples FROM alert WHERE 1");
	if (f->campaign)
		clause_text(c, " AND campaign = ?", f->campaign, strlen(f->campaign));
	if (f->level)
		clause_text(c, " AND level = ?", f->level, strlen(f->level));
	if (f->primitive)
		clause_text(c, " AND primitive = ?", f->primitive, strlen(f->primitive));
	if (f->state)
		clause_text(c, " AND state = ?", f->state, strlen(f->state));
	if (f->since_ns)
		clause_number(c, " AND fired_ns >= ?", f->since_ns);
	if (f->until_ns)
		clause_number(c, " AND fired_ns < ?", f->until_ns);
	clause_add(c, " ORDER BY id DESC");
	if (f->limit > 0)
		clause_number(c, " LIMIT ?", f->limit);
	clause_add(c, ") ORDER BY id");
}

int query_alerts(struct query *q, const struct query_filter *f, query_alert_fn fn, void *arg)
{
	_cleanup_(clause_free) struct clause c = {};
	_cleanup_stmt_ struct db_stmt s = {};
	int r;

	r = clause_begin(&c);
	if (r < 0)
		return r;
	select_alerts(&c, f);
	r = clause_prepare(q, &c, &s);
	if (r < 0)
		return r;
	while ((r = db_step(&s)) > 0) {
		_cleanup_(alert_record_clear) struct alert_record a = {};

		r = read_alert(&s, &a);
		if (r >= 0)
			r = fn(&a, arg);
		if (r != 0)
			return r;
	}
	return r;
}

int query_sensors(struct query *q, query_sensor_fn fn, void *arg)
{
	_cleanup_stmt_ struct db_stmt s = {};
	int r;

	r = db_prepare(q->h,
		       "SELECT name, state, reason, lost, optional FROM sensor"
		       " ORDER BY optional, name",
		       &s);
	if (r < 0)
		return r;
	while ((r = db_step(&s)) > 0) {
		_cleanup_(sensor_record_clear) struct sensor_record row = {};

		row.optional = db_get_int(&s, 4);
		if (db_get_str(&s, 0, &row.name) < 0 || db_get_str(&s, 1, &row.state) < 0 ||
		    db_get_str(&s, 2, &row.reason) < 0 || db_get_str(&s, 3, &row.lost) < 0)
			return -ENOMEM;
		r = fn(&row, arg);
		if (r != 0)
			return r;
	}
	return r;
}

int query_counters(struct query *q, query_counter_fn fn, void *arg)
{
	_cleanup_stmt_ struct db_stmt s = {};
	int r;

	r = db_prepare(q->h, "SELECT name, value, updated_ns FROM counter ORDER BY name", &s);
	if (r < 0)
		return r;
	while ((r = db_step(&s)) > 0) {
		r = fn(db_peek(&s, 0), db_get_int(&s, 1), db_get_int(&s, 2), arg);
		if (r != 0)
			return r;
	}
	return r;
}

int query_tally(struct query *q, int64_t task_id, query_tally_fn fn, void *arg)
{
	_cleanup_stmt_ struct db_stmt s = {};
	int r;

	r = db_prepare(q->h,
		       "SELECT syscall, abi, errno, entry, count FROM tally WHERE task = :task"
		       " ORDER BY count DESC, syscall, errno, abi, entry",
		       &s);
	if (r < 0)
		return r;
	db_int(&s, ":task", task_id);
	while ((r = db_step(&s)) > 0) {
		struct tally_record t = {
			.task_id = task_id,
			.abi = (int)db_get_int(&s, 1),
			.err = (int)db_get_int(&s, 2),
			.entry = (int)db_get_int(&s, 3),
			.count = db_get_int(&s, 4),
		};

		snprintf(t.syscall, sizeof(t.syscall), "%s", db_peek(&s, 0));
		r = fn(&t, arg);
		if (r != 0)
			return r;
	}
	return r;
}

int query_daemon(struct query *q, struct daemon_info *ret)
{
	_cleanup_stmt_ struct db_stmt s = {};
	struct daemon_info d;
	int r;

	r = db_prepare(q->h,
		       "SELECT pid, started_ns, heartbeat_ns, stopped_ns, generation, version"
		       " FROM daemon WHERE id = 1",
		       &s);
	if (r < 0)
		return r;
	r = db_step(&s);
	if (r <= 0)
		return r < 0 ? r : -ENOENT;
	d = (struct daemon_info){
		.pid = db_get_int(&s, 0),
		.started_ns = db_get_int(&s, 1),
		.heartbeat_ns = db_get_int(&s, 2),
		.stopped_ns = db_get_int(&s, 3),
		.generation = (uint64_t)db_get_int(&s, 4),
	};
	snprintf(d.version, sizeof(d.version), "%s", db_peek(&s, 5));
	*ret = d;
	return 0;
}
