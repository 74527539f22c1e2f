/* SPDX-License-Identifier: GPL-2.0-only */
/* The statements, and how each record is written. */
#include <errno.h>
#include <string.h>

#include "log.h"
#include "store_internal.h"

static const char *const statements[] = {
	[ST_BEGIN] = "BEGIN IMMEDIATE",
	[ST_COMMIT] = "COMMIT",
	[ST_SAVEPOINT] = "SAVEPOINT record",
	[ST_RELEASE] = "RELEASE record",
	[ST_UNDO] = "ROLLBACK TO record",
	/* The verdict is not here: it belongs to the failures. */
	[ST_TASK] = "INSERT INTO task (id, campaign, name, attempt, state, started_ns, ended_ns,"
		    " outcome, exit_code, signal, note, cgroup, cgroup_id, source, provisional,"
		    " failed, noise, handled, lost, calls, calls_failed, call_faults, result, why)"
		    " VALUES (:id, :campaign, :name, :attempt, :state, :started, :ended, :outcome,"
		    " :exit_code, :signal, :note, :cgroup, :cgroup_id, :source, :provisional,"
		    " :failed, :noise, :handled, :lost, :calls, :calls_failed, :call_faults,"
		    " :result, :why)"
		    " ON CONFLICT (id) DO UPDATE SET state = :state, started_ns = :started,"
		    " ended_ns = :ended, outcome = :outcome, exit_code = :exit_code,"
		    " signal = :signal, note = :note, cgroup = :cgroup, cgroup_id = :cgroup_id,"
		    " source = :source, provisional = :provisional, failed = :failed,"
		    " noise = :noise, handled = :handled, lost = :lost, calls = :calls,"
		    " calls_failed = :calls_failed, call_faults = :call_faults,"
		    " result = :result, why = :why,"
		    " campaign = :campaign, name = :name, attempt = :attempt",
	[ST_LABEL] = "INSERT INTO label (task, name, value) VALUES (:task, :name, :value)"
		     " ON CONFLICT (task, name) DO UPDATE SET value = :value"
		     " WHERE value IS NOT :value",
	[ST_LABEL_COUNT] = "SELECT count(*) FROM label WHERE task = :task",
	[ST_LABEL_CLEAR] = "DELETE FROM label WHERE task = :task",
	[ST_FAILURE_KNOWN] = "SELECT fingerprint, id, late FROM failure WHERE task = :task",
	[ST_FAILURE_NEXT] = "SELECT seq FROM sqlite_sequence WHERE name = 'failure'",
	/* A judgement every few seconds mostly changes nothing: then nothing is written. */
	[ST_FAILURE] =
		"INSERT INTO failure (id, task, fingerprint, level, primitive, cause, subject,"
		" disposition, confidence, count, first_ns, last_ns, syscall, errno, signal, late,"
		" pid, ns_pid, comm, exe, summary, remedy, evidence, caused_by)"
		" VALUES (:id, :task, :fingerprint, :level, :primitive, :cause, :subject,"
		" :disposition, :confidence, :count, :first, :last, :syscall, :errno, :signal,"
		" :late, :pid, :ns_pid, :comm, :exe, :summary, :remedy, :evidence, :caused_by)"
		" ON CONFLICT (id) DO UPDATE SET (level, primitive, cause, subject, disposition,"
		" confidence, count, first_ns, last_ns, syscall, errno, signal, late, pid, ns_pid,"
		" comm, exe, summary, remedy, evidence, caused_by) ="
		" (:level, :primitive, :cause, :subject, :disposition, :confidence, :count, :first,"
		" :last, :syscall, :errno, :signal, :late, :pid, :ns_pid, :comm, :exe, :summary,"
		" :remedy, :evidence, :caused_by)"
		" WHERE (level, primitive, cause, subject, disposition, confidence, count,"
		" first_ns, last_ns, syscall, errno, signal, late, pid, ns_pid, comm, exe, summary,"
		" remedy, evidence, caused_by) IS NOT"
		" (:level, :primitive, :cause, :subject, :disposition, :confidence, :count, :first,"
		" :last, :syscall, :errno, :signal, :late, :pid, :ns_pid, :comm, :exe, :summary,"
		" :remedy, :evidence, :caused_by)",
	[ST_FAILURE_REMOVE] = "DELETE FROM failure WHERE id = :id",
	[ST_VERDICT_GET] = "SELECT verdict FROM task WHERE id = :task",
	[ST_VERDICT] = "UPDATE task SET verdict = :verdict WHERE id = :task"
		       " AND verdict IS NOT :verdict",
	[ST_ROLLUP_CLEAR] = "DELETE FROM rollup WHERE task = :task",
	[ST_ROLLUP] = "INSERT INTO rollup (minute, task, level, primitive, cause, disposition,"
		      " failures, events, verdicts)"
		      " SELECT f.first_ns / 60000000000, f.task, f.level, f.primitive, f.cause,"
		      " f.disposition, count(*), sum(f.count), sum(f.id IS t.verdict)"
		      " FROM failure f JOIN task t ON t.id = f.task WHERE f.task = :task"
		      " GROUP BY 1, 2, 3, 4, 5, 6",
	[ST_TALLY] = "INSERT INTO tally (task, abi, syscall, errno, entry, count)"
		     " VALUES (:task, :abi, :syscall, :errno, :entry, :count)"
		     " ON CONFLICT DO UPDATE SET count = count + excluded.count",
	[ST_CALL] = "INSERT INTO call (task, session, source, rpc_id, method, tool, subject, args,"
		    " started_ns, ended_ns, end, failed, code, text, request_len, request_digest,"
		    " answer_len, answer_digest, cut, server_pid, client_pid, n_faults, faults)"
		    " VALUES (:task, :session, :source, :rpc_id, :method, :tool, :subject, :args,"
		    " :started, :ended, :end, :failed, :code, :text, :request_len,"
		    " :request_digest, :answer_len, :answer_digest, :cut, :server_pid,"
		    " :client_pid, :n_faults, :faults)",
	[ST_INCIDENT] = "INSERT INTO incident (task, session, kind, at_ns, pid, other_pid,"
			" by_server, errno, bytes, open, say) VALUES (:task, :session, :kind, :at,"
			" :pid, :other_pid, :by_server, :errno, :bytes, :open, :say)",
	[ST_RESULT] = "UPDATE task SET result = :result, why = :why WHERE id = :task",
	[ST_ALERT] = "INSERT INTO alert (id, level, primitive, campaign, state, fired_ns,"
		     " resolved_ns, tasks, expected, window_ns, examples)"
		     " VALUES (:id, :level, :primitive, :campaign, :state, :fired, :resolved,"
		     " :tasks, :expected, :window, :examples)"
		     " ON CONFLICT (id) DO UPDATE SET state = :state, fired_ns = :fired,"
		     " resolved_ns = :resolved, tasks = :tasks, expected = :expected,"
		     " window_ns = :window, examples = :examples",
	[ST_SENSOR_CLEAR] = "DELETE FROM sensor",
	[ST_SENSOR] = "INSERT OR REPLACE INTO sensor (name, state, reason, lost, optional)"
		      " VALUES (:name, :state, :reason, :lost, :optional)",
	[ST_COUNTER] = "INSERT INTO counter (name, value, updated_ns) VALUES (:name, :value, :now)"
		       " ON CONFLICT (name) DO UPDATE SET value = :value, updated_ns = :now",
	[ST_DAEMON] = "INSERT INTO daemon (id, pid, version, started_ns, heartbeat_ns, stopped_ns,"
		      " generation) VALUES (1, :pid, :version, :started, :now, :stopped,"
		      " :generation) ON CONFLICT (id) DO UPDATE SET pid = :pid,"
		      " version = :version, started_ns = :started, heartbeat_ns = :now,"
		      " stopped_ns = :stopped, generation = :generation",
	[ST_GAP] = "INSERT INTO gap (from_ns, to_ns, reason) VALUES (:from, :to, :reason)",
	[ST_ATTEMPTS] = "SELECT max(attempt), max(CASE WHEN state <> 'final' THEN id END)"
			" FROM task WHERE campaign = :campaign AND name = :name",
	[ST_OLDEST] = "SELECT id, coalesce(ended_ns, started_ns) FROM task WHERE state = 'final'"
		      " ORDER BY coalesce(ended_ns, started_ns) LIMIT 1",
	[ST_CALLS_REMOVE] = "DELETE FROM call WHERE id IN"
			    " (SELECT id FROM call WHERE task = :id LIMIT 256)",
	[ST_TASK_REMOVE] = "DELETE FROM task WHERE id = :id",
	[ST_ALERT_EXPIRE] = "DELETE FROM alert WHERE state = 'resolved' AND resolved_ns < :before",
	[ST_GAP_EXPIRE] = "DELETE FROM gap WHERE to_ns < :before",
};
_Static_assert(ARRAY_SIZE(statements) == ST_MAX, "every statement has its SQL");

int store_use(struct store *s, enum store_statement which, struct db_stmt *ret)
{
	return db_use(s->h, &s->slots[which], statements[which], ret);
}

static int write_label(struct store *s, int64_t task, const struct label *l)
{
	_cleanup_stmt_ struct db_stmt q = {};
	int r;

	r = store_use(s, ST_LABEL, &q);
	if (r < 0)
		return r;
	db_int(&q, ":task", task);
	db_str(&q, ":name", l->name);
	db_str(&q, ":value", l->value);
	return db_run(&q);
}

static int run_for_task(struct store *s, enum store_statement which, int64_t task)
{
	_cleanup_stmt_ struct db_stmt q = {};
	int r;

	r = store_use(s, which, &q);
	if (r < 0)
		return r;
	db_int(&q, ":task", task);
	return db_run(&q);
}

static int count_labels(struct store *s, int64_t task, size_t *ret)
{
	_cleanup_stmt_ struct db_stmt q = {};
	int r;

	r = store_use(s, ST_LABEL_COUNT, &q);
	if (r < 0)
		return r;
	db_int(&q, ":task", task);
	r = db_step(&q);
	if (r < 0)
		return r;
	*ret = (size_t)db_get_int(&q, 0);
	return 0;
}

static int write_labels(struct store *s, const struct task_record *t)
{
	size_t stored = 0;
	int r = 0;

	for (size_t i = 0; i < t->n_labels && r >= 0; i++)
		r = write_label(s, t->id, &t->labels[i]);
	if (r >= 0)
		r = count_labels(s, t->id, &stored);
	if (r < 0 || stored <= t->n_labels)
		return r;
	/* Some were taken away; rare. */
	r = run_for_task(s, ST_LABEL_CLEAR, t->id);
	for (size_t i = 0; i < t->n_labels && r >= 0; i++)
		r = write_label(s, t->id, &t->labels[i]);
	return r;
}

static int write_task(struct store *s, const struct task_record *t)
{
	_cleanup_stmt_ struct db_stmt q = {};
	int r;

	r = store_use(s, ST_TASK, &q);
	if (r < 0)
		return r;
	db_int(&q, ":id", t->id);
	db_str(&q, ":campaign", t->campaign);
	db_str(&q, ":name", t->task);
	db_int(&q, ":attempt", t->attempt);
	db_str(&q, ":state", task_state_name(t->state));
	db_int(&q, ":started", t->started_ns);
	db_int_or_null(&q, ":ended", t->ended_ns, 0);
	db_str(&q, ":outcome", outcome_name(t->outcome));
	db_int_or_null(&q, ":exit_code", t->exit_code, -1);
	db_int_or_null(&q, ":signal", t->signal, 0);
	db_str(&q, ":note", t->note);
	db_str(&q, ":cgroup", t->cgroup);
	db_int_or_null(&q, ":cgroup_id", (int64_t)t->cgroup_id, 0);
	db_str(&q, ":source", t->source ?: "");
	db_int(&q, ":provisional", t->provisional);
	db_int(&q, ":failed", t->failed);
	db_int(&q, ":noise", t->noise);
	db_int(&q, ":handled", t->handled);
	db_int(&q, ":lost", t->lost);
	db_int(&q, ":calls", t->calls);
	db_int(&q, ":calls_failed", t->calls_failed);
	db_int(&q, ":call_faults", t->call_faults);
	db_str(&q, ":result", campaign_result_name(t->result));
	db_str(&q, ":why", t->why);
	r = db_run(&q);
	return r < 0 ? r : write_labels(s, t);
}

static int write_result(struct store *s, const struct item *i)
{
	_cleanup_stmt_ struct db_stmt q = {};
	int r;

	r = store_use(s, ST_RESULT, &q);
	if (r < 0)
		return r;
	db_int(&q, ":task", i->result.task);
	db_str(&q, ":result", campaign_result_name(i->result.result));
	db_str(&q, ":why", i->result.why);
	return db_run(&q);
}

static int write_tally_row(struct store *s, const struct tally_record *t)
{
	_cleanup_stmt_ struct db_stmt q = {};
	char syscall[sizeof(t->syscall) + 1];
	int r;

	r = store_use(s, ST_TALLY, &q);
	if (r < 0)
		return r;
	snprintf(syscall, sizeof(syscall), "%.*s", (int)sizeof(t->syscall), t->syscall);
	db_int(&q, ":task", t->task_id);
	db_int(&q, ":abi", t->abi);
	db_str(&q, ":syscall", syscall);
	db_int(&q, ":errno", t->err);
	db_int(&q, ":entry", t->entry);
	db_int(&q, ":count", t->count);
	return db_run(&q);
}

static int write_tally(struct store *s, const struct item *i)
{
	int r = 0;

	for (size_t n = 0; n < i->tally.n && r >= 0; n++)
		r = write_tally_row(s, &i->tally.rows[n]);
	return r;
}

static int write_alert(struct store *s, const struct alert_record *a)
{
	_cleanup_free_ char *examples = db_list_encode(a->examples, a->n_examples);
	_cleanup_stmt_ struct db_stmt q = {};
	int r;

	if (!examples)
		return -ENOMEM;
	r = store_use(s, ST_ALERT, &q);
	if (r < 0)
		return r;
	db_int(&q, ":id", a->id);
	db_str(&q, ":level", level_name(a->level));
	db_str(&q, ":primitive", a->primitive);
	db_str(&q, ":campaign", a->campaign);
	db_str(&q, ":state", a->firing ? "firing" : "resolved");
	db_int(&q, ":fired", a->fired_ns);
	db_int_or_null(&q, ":resolved", a->resolved_ns, 0);
	db_int(&q, ":tasks", a->tasks);
	db_real(&q, ":expected", a->expected);
	db_int(&q, ":window", a->window_ns);
	db_str(&q, ":examples", examples);
	return db_run(&q);
}

static int write_sensor(struct store *s, const struct sensor_record *row)
{
	_cleanup_stmt_ struct db_stmt q = {};
	int r;

	r = store_use(s, ST_SENSOR, &q);
	if (r < 0)
		return r;
	db_str(&q, ":name", row->name);
	db_str(&q, ":state", row->state);
	db_str(&q, ":reason", row->reason);
	db_str(&q, ":lost", row->lost);
	db_int(&q, ":optional", row->optional);
	return db_run(&q);
}

static int write_sensors(struct store *s, const struct item *i)
{
	_cleanup_stmt_ struct db_stmt q = {};
	int r;

	r = store_use(s, ST_SENSOR_CLEAR, &q);
	if (r >= 0)
		r = db_run(&q);
	for (size_t n = 0; n < i->sensors.n && r >= 0; n++)
		r = write_sensor(s, &i->sensors.rows[n]);
	return r;
}

static int write_counter(struct store *s, const struct item *i)
{
	_cleanup_stmt_ struct db_stmt q = {};
	int r;

	r = store_use(s, ST_COUNTER, &q);
	if (r < 0)
		return r;
	db_str(&q, ":name", i->counter.name);
	db_int(&q, ":value", i->counter.value);
	db_int(&q, ":now", i->counter.now_ns);
	return db_run(&q);
}

static int write_daemon(struct store *s, const struct daemon_row *d)
{
	_cleanup_stmt_ struct db_stmt q = {};
	int r;

	r = store_use(s, ST_DAEMON, &q);
	if (r < 0)
		return r;
	db_int(&q, ":pid", d->pid);
	db_str(&q, ":version", d->version);
	db_int(&q, ":started", d->started_ns);
	db_int(&q, ":now", d->now_ns);
	db_int_or_null(&q, ":stopped", d->stopped_ns, 0);
	db_int(&q, ":generation", (int64_t)d->generation);
	return db_run(&q);
}

static int write_gap(struct store *s, const struct item *i)
{
	_cleanup_stmt_ struct db_stmt q = {};
	int r;

	r = store_use(s, ST_GAP, &q);
	if (r < 0)
		return r;
	db_int(&q, ":from", i->gap.from_ns);
	db_int(&q, ":to", i->gap.to_ns);
	db_str(&q, ":reason", i->gap.reason);
	return db_run(&q);
}

int store_write(struct store *s, struct item *i)
{
	switch (i->kind) {
	case ITEM_TASK:
		return write_task(s, &i->task);
	case ITEM_FAILURES:
		return store_write_failures(s, &i->task, false);
	case ITEM_LATE:
		return store_write_failures(s, &i->task, true);
	case ITEM_TALLY:
		return write_tally(s, i);
	case ITEM_CALLS:
		return store_write_calls(s, i->calls.rows, i->calls.n, &i->refused);
	case ITEM_INCIDENT:
		return store_write_incident(s, &i->incident);
	case ITEM_RESULT:
		return write_result(s, i);
	case ITEM_ALERT:
		return write_alert(s, &i->alert);
	case ITEM_SENSORS:
		return write_sensors(s, i);
	case ITEM_COUNTER:
		return write_counter(s, i);
	case ITEM_DAEMON:
		return write_daemon(s, &i->daemon);
	case ITEM_GAP:
		return write_gap(s, i);
	case ITEM_MAX:
		break;
	}
	return -EINVAL;
}
