/* SPDX-License-Identifier: GPL-2.0-only */
#include <string.h>

#include "../daemon/json.h"
#include "request.h"

/* What the user typed may be no UTF-8, which JSON must be. */
static void add_string(struct json_object *o, const char *key, const char *value)
{
	if (value)
		json_add_bytes(o, key, value, strlen(value));
}

struct json_object *request_op(const char *op)
{
	struct json_object *o = json_object_new_object();

	if (o)
		add_string(o, "op", op);
	return o;
}

static struct json_object *labels_json(const struct cli *c)
{
	struct json_object *o = json_object_new_object();

	for (size_t i = 0; o && i < c->n_labels; i++) {
		const char *equals = strchr(c->labels[i], '=');
		_cleanup_free_ char *name =
			util_escape(c->labels[i], (size_t)(equals - c->labels[i]));

		if (name)
			add_string(o, name, equals + 1);
	}
	return o;
}

struct json_object *request_begin(const struct cli *c, const char *task, const char *source,
				  pid_t pid)
{
	struct json_object *o = request_op("begin");

	if (!o)
		return NULL;
	add_string(o, "campaign", c->campaign ? c->campaign : REQUEST_CAMPAIGN);
	add_string(o, "task", task);
	add_string(o, "source", source);
	add_string(o, "cgroup", c->cgroup);
	add_string(o, "scope", c->scope);
	if (c->n_labels)
		json_object_object_add(o, "labels", labels_json(c));
	if (pid)
		json_object_object_add(o, "pid", json_object_new_int(pid));
	if (c->server)
		json_object_object_add(o, "server", json_object_new_int((int)c->server));
	return o;
}

struct json_object *request_end(const struct cli *c, const struct request_end *e)
{
	struct json_object *o = request_op("end");

	if (!o)
		return NULL;
	add_string(o, "campaign", c->campaign ? c->campaign : REQUEST_CAMPAIGN);
	add_string(o, "task", e->task);
	add_string(o, "outcome", e->outcome);
	add_string(o, "note", e->note);
	add_string(o, "result", e->result);
	add_string(o, "why", e->why);
	if (e->exit_code >= 0)
		json_object_object_add(o, "exit_code", json_object_new_int(e->exit_code));
	if (e->signal)
		json_object_object_add(o, "signal", json_object_new_int(e->signal));
	return o;
}

struct json_object *request_call(const struct cli *c, const char *task)
{
	struct json_object *o = request_op("call");

	if (!o)
		return NULL;
	add_string(o, "campaign", c->campaign ? c->campaign : REQUEST_CAMPAIGN);
	add_string(o, "task", task);
	add_string(o, "tool", c->tool);
	add_string(o, "text", c->text);
	add_string(o, "path", c->path);
	json_object_object_add(o, "ok", json_object_new_boolean(!c->failed));
	if (c->code)
		json_object_object_add(o, "code", json_object_new_int((int)c->code));
	if (c->start_ns)
		json_add_time(o, "started", c->start_ns);
	if (c->end_ns)
		json_add_time(o, "ended", c->end_ns);
	return o;
}

struct json_object *request_channel(const struct cli *c, const char *action)
{
	struct json_object *o = request_op("channel");

	if (!o)
		return NULL;
	add_string(o, "action", action);
	add_string(o, "cgroup", c->cgroup);
	add_string(o, "pattern", c->pattern);
	if (c->pid)
		json_object_object_add(o, "pid", json_object_new_int((int)c->pid));
	return o;
}
