/* SPDX-License-Identifier: GPL-2.0-only */
/* The socket's operations. */
#include <errno.h>
#include <string.h>

#include "core.h"
#include "json.h"
#include "log.h"

/* ---- end ---- */

/* As the database has it, where it can be read: there failures have their numbers. */
static struct json_object *task_json(struct pipeline *p, int64_t id)
{
	struct task_record rec = { 0 };
	struct tracked *tr = tracked_find(p, (uint64_t)id);
	struct json_object *o;

	if (!p->commit_error && query_task(store_query(p->store), id, false, &rec) == 0) {
		o = json_task(&rec, false);
		task_record_clear(&rec);
		return o;
	}
	return tr ? json_task(&tr->task->rec, false) : NULL;
}

static void reply_task(struct pipeline *p, struct control_peer *peer, uint64_t token, int64_t id)
{
	struct json_object *o = json_object_new_object(), *task = task_json(p, id);

	if (!o || !task) {
		json_object_put(o);
		json_object_put(task);
		control_error(peer, token, "failed", "the task can't be read");
		return;
	}
	json_object_object_add(o, "task", task);
	control_reply(peer, token, o);
}

void tracked_reply(struct pipeline *p, struct tracked *tr)
{
	size_t n = tr->n_waiters;

	tr->n_waiters = 0;
	for (size_t i = 0; i < n; i++)
		reply_task(p, tr->waiters[i].peer, tr->waiters[i].token, tr->task->rec.id);
}

/* A said outcome goes before the root process's; an exit status says it as well. */
static void end_outcome(struct task *t, const struct control_end *e)
{
	struct task_record *rec = &t->rec;

	if (e->outcome == OUTCOME_UNKNOWN && e->exit_code < 0 && !e->signal)
		return;
	t->outcome_given = true;
	rec->exit_code = e->signal ? -1 : e->exit_code;
	rec->signal = e->signal;
	rec->outcome = e->outcome != OUTCOME_UNKNOWN ? e->outcome
		       : e->signal		     ? OUTCOME_KILLED
		       : e->exit_code		     ? OUTCOME_FAILED
						     : OUTCOME_OK;
}

/* The campaign's word: the last one counts, since some judge long after the end. */
static void end_result(struct task_record *rec, const struct control_end *e)
{
	char *why = e->why ? strdup(e->why) : NULL;

	rec->result = e->result;
	free(rec->why);
	rec->why = why;
}

/* … of a task that is final. */
static void end_result_late(struct pipeline *p, int64_t id, const struct control_end *e)
{
	struct tracked *tr = tracked_find(p, (uint64_t)id);

	if (tr)
		end_result(&tr->task->rec, e);
	store_put_result(p->store, id, e->result, e->why);
	pipeline_commit(p);
}

struct found {
	int64_t id;
};

static int found_task(const struct task_record *t, void *arg)
{
	struct found *f = arg;

	f->id = t->id;
	return 0;
}

/* It ended by itself, or an earlier daemon ended it: what is known is the answer. */
static void end_ended(struct pipeline *p, struct control_peer *peer, uint64_t token,
		      const struct control_end *e)
{
	struct query_filter latest = { .campaign = e->campaign, .task = e->task };
	struct found found = { 0 };

	if (query_tasks(store_query(p->store), &latest, false, found_task, &found) == 0 &&
	    found.id) {
		if (e->result)
			end_result_late(p, found.id, e);
		reply_task(p, peer, token, found.id);
	} else {
		_cleanup_free_ char *shown = util_escape(e->task, strlen(e->task));

		control_error(peer, token, "no-such-task", "there is no task %s",
			      shown ? shown : "");
	}
}

static void on_end(void *arg, struct control_peer *peer, uint64_t token,
		   const struct control_end *e)
{
	struct pipeline *p = arg;
	struct tracked *tr = tracked_by_name(p, e->campaign, e->task);

	if (!tr || tr->counted_only) {
		end_ended(p, peer, token, e);
		return;
	}
	if (tr->leaving) {
		control_error(peer, token, "busy", "that task has not begun yet");
		return;
	}
	if (!tr->task->outcome_given)
		end_outcome(tr->task, e);
	if (e->result)
		end_result(&tr->task->rec, e);
	if (e->note && !tr->task->rec.note)
		tr->task->rec.note = strdup(e->note);
	if (!e->wait)
		control_reply(peer, token, NULL);
	else if (tracked_wait(tr, peer, token) < 0)
		control_error(peer, token, "failed", "no memory");
	tracked_settle(p, tr, util_now_boottime());
}

/* ---- the rest ---- */

static void on_flush(void *arg, struct control_peer *peer, uint64_t token)
{
	struct pipeline *p = arg;
	void *v = p->flushes;
	int r = util_grow(&v, &p->cap_flushes, p->n_flushes + 1, sizeof(*p->flushes));

	p->flushes = v;
	if (r < 0) {
		control_error(peer, token, "failed", "no memory");
		return;
	}
	p->flushes[p->n_flushes++] = (struct waiter){ peer, token };
	p->flush_ticket = sweep_request(p->sweep);
}

void service_flushed(struct pipeline *p, uint64_t ticket)
{
	if (!p->n_flushes || ticket < p->flush_ticket)
		return;
	while (p->n_flushes) {
		struct waiter *w = &p->flushes[--p->n_flushes];

		if (p->commit_error)
			control_error(w->peer, w->token, "failed", "can't write the database: %s",
				      strerror(-p->commit_error));
		else
			control_reply(w->peer, w->token, NULL);
	}
}

static struct json_object *sensors_json(struct pipeline *p)
{
	struct json_object *list = json_object_new_array();
	const struct sensor_record *s;
	size_t n;

	s = sensors_list(p->sensors, &n);
	for (size_t i = 0; list && i < n; i++)
		json_object_array_add(list, json_sensor(&s[i]));
	return list;
}

static struct json_object *counters_json(struct pipeline *p)
{
	struct json_object *o = json_object_new_object();
	int64_t values[COUNTER_MAX];

	counters_read(p, values);
	for (size_t i = 0; o && i < COUNTER_MAX; i++)
		json_object_object_add(o, counters[i].name, json_object_new_int64(values[i]));
	return o;
}

static unsigned int tasks_open(const struct pipeline *p)
{
	struct tracked *tr, *next;
	unsigned int n = 0;

	HASH_ITER(hh, p->tracked, tr, next)
	{
		n += !tr->counted_only && tr->task->rec.state != STATE_FINAL;
	}
	return n;
}

static void on_status(void *arg, struct control_peer *peer, uint64_t token)
{
	struct pipeline *p = arg;
	struct json_object *o = json_object_new_object();

	if (!o) {
		control_error(peer, token, "failed", "no memory");
		return;
	}
	json_object_object_add(o, "pid", json_object_new_int(getpid()));
	json_object_object_add(o, "version", json_object_new_string(SANDFAULT_VERSION));
	json_add_time(o, "started", p->started_ns);
	json_object_object_add(o, "tasks_open", json_object_new_int64(tasks_open(p)));
	json_object_object_add(o, "sensors", sensors_json(p));
	json_object_object_add(o, "counters", counters_json(p));
	json_object_object_add(o, "queue_bytes",
			       json_object_new_int64((int64_t)store_queued(p->store)));
	json_object_object_add(o, "connections",
			       json_object_new_int64(control_connections(p->control)));
	control_reply(peer, token, o);
}

const struct control_ops service_ops = {
	.begin = begin_request,
	.end = on_end,
	.call = service_call,
	.channel = service_channel,
	.flush = on_flush,
	.status = on_status,
};
