/* SPDX-License-Identifier: GPL-2.0-only */
/* Tool calls and what befell their channels, written. */
#include <errno.h>
#include <json-c/json.h>
#include <string.h>

#include "store_internal.h"

/* Takes over v; a key that finds no memory is left out. */
static void add(struct json_object *o, const char *key, struct json_object *v)
{
	if (v && json_object_object_add(o, key, v) < 0)
		json_object_put(v);
}

/* As db_list_encode(): bytes stay as they are. */
static struct json_object *bytes(const char *data, size_t len)
{
	return json_object_new_string_len(data ? data : "", (int)len);
}

static struct json_object *fault_json(const struct call_fault_record *f)
{
	const struct taxon *x = taxonomy_get(f->cause);
	struct json_object *o = json_object_new_object();

	if (!o)
		return NULL;
	add(o, "level", json_object_new_string(level_name(x->level)));
	add(o, "primitive", json_object_new_string(x->primitive));
	add(o, "cause", json_object_new_string(x->cause));
	add(o, "leg", json_object_new_string(call_leg_name(f->leg)));
	add(o, "sure", json_object_new_boolean(f->sure));
	add(o, "at", json_object_new_int64(f->at));
	add(o, "subject", bytes(f->subject.data, f->subject.len));
	add(o, "say", json_object_new_string(f->say ? f->say : ""));
	return o;
}

/* *ret NULL: there are none. */
static int faults_json(const struct call_record *c, char **ret)
{
	struct json_object *list;

	*ret = NULL;
	if (!c->n_faults)
		return 0;
	list = json_object_new_array();
	for (size_t i = 0; list && i < c->n_faults; i++)
		json_object_array_add(list, fault_json(&c->faults[i]));
	if (list)
		*ret = strdup(json_object_to_json_string_ext(list, JSON_C_TO_STRING_PLAIN));
	json_object_put(list);
	return *ret ? 0 : -ENOMEM;
}

static void bind_call(struct db_stmt *q, const struct call_record *c, const struct text *tool,
		      const char *faults)
{
	const struct text empty = { .data = (char *)"" };

	db_int(q, ":task", c->task_id);
	db_int(q, ":session", c->session);
	db_str(q, ":source", call_source_name(c->source));
	db_str(q, ":rpc_id", c->rpc_id);
	db_str(q, ":method", c->method);
	db_blob(q, ":tool", tool);
	db_blob(q, ":subject", c->subject.data ? &c->subject : &empty);
	db_str(q, ":args", c->args);
	db_int(q, ":started", c->started_ns);
	db_int_or_null(q, ":ended", c->ended_ns, 0);
	db_str(q, ":end", call_end_name(c->end));
	db_int(q, ":failed", call_record_failed(c));
	db_int_or_null(q, ":code", c->code, 0);
	db_blob(q, ":text", &c->text);
	db_int(q, ":request_len", c->request_len);
	db_str(q, ":request_digest", *c->request_digest ? c->request_digest : NULL);
	db_int(q, ":answer_len", c->answer_len);
	db_str(q, ":answer_digest", *c->answer_digest ? c->answer_digest : NULL);
	db_int(q, ":cut", c->cut);
	db_int_or_null(q, ":server_pid", c->server_pid, 0);
	db_int_or_null(q, ":client_pid", c->client_pid, 0);
	db_int(q, ":n_faults", (int64_t)c->n_faults);
	db_str(q, ":faults", faults);
}

static int write_call(struct store *s, const struct call_record *c)
{
	struct text tool = { c->tool, c->tool ? strlen(c->tool) : 0 };
	_cleanup_stmt_ struct db_stmt q = {};
	_cleanup_free_ char *faults = NULL;
	int r;

	r = faults_json(c, &faults);
	if (r >= 0)
		r = store_use(s, ST_CALL, &q);
	if (r < 0)
		return r;
	bind_call(&q, c, &tool, faults);
	return db_run(&q);
}

/* A call of a task that is gone must not take the others with it. */
int store_write_calls(struct store *s, const struct call_record *rows, size_t n,
		      unsigned int *ret_refused)
{
	for (size_t i = 0; i < n; i++) {
		int r = write_call(s, &rows[i]);

		if (r == -EINVAL || r == -E2BIG)
			++*ret_refused;
		else if (r < 0)
			return r;
	}
	return 0;
}

int store_write_incident(struct store *s, const struct incident_record *i)
{
	_cleanup_stmt_ struct db_stmt q = {};
	int r;

	r = store_use(s, ST_INCIDENT, &q);
	if (r < 0)
		return r;
	db_int(&q, ":task", i->task_id);
	db_int(&q, ":session", i->session);
	db_str(&q, ":kind", incident_name(i->kind));
	db_int(&q, ":at", i->at_ns);
	db_int_or_null(&q, ":pid", i->pid, 0);
	db_int_or_null(&q, ":other_pid", i->other_pid, 0);
	db_int(&q, ":by_server", i->by_server);
	db_int(&q, ":errno", i->err);
	db_int(&q, ":bytes", i->bytes);
	db_int(&q, ":open", i->open);
	db_str(&q, ":say", i->say ? i->say : "");
	return db_run(&q);
}
