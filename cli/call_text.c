/* SPDX-License-Identifier: GPL-2.0-only */
/* Tool calls: text from their JSON, and the JSON of a task's. */
#include <errno.h>
#include <string.h>

#include "../daemon/json.h"
#include "../daemon/since.h"
#include "cli.h"

static const struct column_spec columns[] = {
	{ "STARTED", COLUMN_LEFT, 4 }, { "TASK", COLUMN_FLEX, 6 },    { "CALL", COLUMN_LEFT },
	{ "TOOL", COLUMN_FLEX },       { "SUBJECT", COLUMN_FLEX, 7 }, { "TOOK", COLUMN_RIGHT, 3 },
	{ "END", COLUMN_LEFT },	       { "FAULTS", COLUMN_FLEX, 5 },  { "ANSWER", COLUMN_FLEX, 1 },
};
#define TASK_COLUMN 1

struct call_table {
	struct render render;
	struct table *table;
	bool with_task;
	struct column_spec columns[ARRAY_SIZE(columns)];
};

int call_table_new(struct call_table **ret, const struct render *r, bool with_task)
{
	_cleanup_call_table_ struct call_table *t = calloc(1, sizeof(*t));
	size_t n = 0;

	if (!t)
		return -ENOMEM;
	t->render = *r;
	t->with_task = with_task;
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		if (i != TASK_COLUMN || with_task)
			t->columns[n++] = columns[i];
	if (table_new(&t->table, t->columns, n) < 0)
		return -ENOMEM;
	*ret = TAKE_PTR(t);
	return 0;
}

void call_table_free(struct call_table *t)
{
	if (!t)
		return;
	table_free(t->table);
	free(t);
}

/* "encoding/replacement, null-byte/argument"; owned, NULL: no memory. */
static char *faults_text(struct json_object *call)
{
	struct json_object *list = field(call, "faults");
	size_t n = list ? json_object_array_length(list) : 0, size = 0;
	char *s = NULL;
	FILE *f = open_memstream(&s, &size);

	if (!f)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		struct json_object *o = json_object_array_get_idx(list, i);

		fprintf(f, "%s%s/%s", i ? ", " : "", field_str(o, "primitive"),
			field_str(o, "cause"));
	}
	fclose(f);
	return s;
}

static void took_text(struct json_object *call, char *buf, size_t size)
{
	int64_t started = 0, ended = 0;

	if (since_parse(field_str(call, "started"), 0, &started) < 0 ||
	    since_parse(field_str(call, "ended"), 0, &ended) < 0)
		snprintf(buf, size, "-");
	else
		since_span(ended - started, buf, size);
}

static int add_end(struct call_table *t, struct json_object *call)
{
	const char *end = field_str(call, "end");
	bool good = strcmp(end, call_end_name(CALL_OK)) == 0;
	int64_t code = field_int(call, "code", 0);

	if (code)
		return table_cell(t->table, STYLE_BAD, "%s %lld", end, (long long)code);
	return table_cell(t->table, good ? STYLE_NONE : STYLE_BAD, "%s", end);
}

int call_table_add(struct call_table *t, struct json_object *call)
{
	_cleanup_free_ char *faults = faults_text(call), *task = task_text_name(call);
	const char *tool = field_str(call, "tool");
	char started[40], took[32];

	if (!faults)
		return -ENOMEM;
	time_text(&t->render, call, "started", started, sizeof(started));
	took_text(call, took, sizeof(took));
	if (table_cell(t->table, STYLE_NONE, "%s", started) < 0 ||
	    (t->with_task && table_cell(t->table, STYLE_NONE, "%s", task) < 0) ||
	    table_cell(t->table, STYLE_NONE, "%s", field_str(call, "id")) < 0 ||
	    table_cell(t->table, STYLE_NONE, "%s", *tool ? tool : field_str(call, "method")) < 0 ||
	    table_cell(t->table, STYLE_NONE, "%s", field_str(call, "subject")) < 0 ||
	    table_cell(t->table, STYLE_NONE, "%s", took) < 0 || add_end(t, call) < 0 ||
	    table_cell(t->table, *faults ? STYLE_WARN : STYLE_NONE, "%s", faults) < 0)
		return -ENOMEM;
	return table_cell(t->table, STYLE_NONE, "%s", field_str(call, "text"));
}

void call_table_print(const struct call_table *t)
{
	if (table_rows(t->table))
		table_print(t->table, &t->render);
}

static int print_incident(const struct incident_record *i, void *arg)
{
	_cleanup_json_ struct json_object *o = json_incident(i);
	const struct render *r = arg;
	char at[40];

	if (!o)
		return -ENOMEM;
	time_text(r, o, "at", at, sizeof(at));
	render_line(r, STYLE_WARN, "%s  %s: %s", at, field_str(o, "kind"), field_str(o, "say"));
	return 0;
}

int call_incidents_print(const struct render *r, struct query *q, int64_t task_id)
{
	return query_incidents(q, task_id, print_incident, (void *)r);
}

static int take_call(const struct call_record *c, const struct task_record *t, void *arg)
{
	struct json_object *o = json_call(c);

	return o ? json_object_array_add(arg, o) : -ENOMEM;
}

static int take_incident(const struct incident_record *i, void *arg)
{
	struct json_object *o = json_incident(i);

	return o ? json_object_array_add(arg, o) : -ENOMEM;
}

int call_json_add(struct json_object *task, struct query *q, int64_t task_id)
{
	struct json_object *counts = field(task, "calls"), *list = json_object_new_array();
	struct json_object *incidents = json_object_new_array();
	int r;

	json_object_object_add(counts, "list", list);
	json_object_object_add(counts, "incidents", incidents);
	if (!list || !incidents)
		return -ENOMEM;
	r = query_task_calls(q, task_id, take_call, list);
	return r < 0 ? r : query_incidents(q, task_id, take_incident, incidents);
}
