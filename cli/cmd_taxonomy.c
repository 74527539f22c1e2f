/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>

#include "../daemon/json.h"
#include "cli.h"

#define MAX_KEYS 3

/* The keys of --by, cut out of a copy of it. */
struct keys {
	char *copy;
	const char *key[MAX_KEYS];
	size_t n;
};

static void keys_clear(struct keys *k)
{
	free(k->copy);
}

static bool known_key(const char *key)
{
	static const char *const names[] = { "level", "primitive", "cause" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(names[i], key) == 0)
			return true;
	return strncmp(key, "label.", 6) == 0 && key[6];
}

static int parse_keys(const struct cli *c, struct keys *k)
{
	char *rest, *key;

	k->copy = strdup(c->by ? c->by : "level,primitive,cause");
	if (!k->copy)
		return cli_query_failed(-ENOMEM);
	rest = k->copy;
	while ((key = strsep(&rest, ","))) {
		if (!known_key(key))
			return usage_error(c, "--by=%s: want level, primitive, cause or label.NAME",
					   key);
		if (k->n == MAX_KEYS)
			return usage_error(c, "--by=%s: at most three keys", c->by);
		for (size_t i = 0; i < k->n; i++)
			if (strcmp(k->key[i], key) == 0)
				return usage_error(c, "--by=%s: %s stands twice", c->by, key);
		k->key[k->n++] = key;
	}
	return 0;
}

static const struct {
	const char *name;
	size_t offset;
} numbers[] = {
	{ "tasks", offsetof(struct taxonomy_row, tasks) },
	{ "verdicts", offsetof(struct taxonomy_row, verdicts) },
	{ "failures", offsetof(struct taxonomy_row, failures) },
	{ "events", offsetof(struct taxonomy_row, events) },
};

struct rows {
	const struct keys *keys;
	struct table *table;	  /* text, else */
	struct json_object *json; /* array */
	size_t n;
};

static int64_t number(const struct taxonomy_row *row, size_t i)
{
	return *(const int64_t *)((const char *)row + numbers[i].offset);
}

static int row_json(const struct taxonomy_row *row, struct rows *rows)
{
	struct json_object *o = json_object_new_object();

	if (!o)
		return -ENOMEM;
	for (size_t i = 0; i < rows->keys->n; i++)
		json_add_bytes(o, rows->keys->key[i], row->key[i], strlen(row->key[i]));
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		json_object_object_add(o, numbers[i].name, json_object_new_int64(number(row, i)));
	return json_object_array_add(rows->json, o) < 0 ? -ENOMEM : 0;
}

static int add_row(const struct taxonomy_row *row, void *arg)
{
	struct rows *rows = arg;

	rows->n++;
	if (!rows->table)
		return row_json(row, rows);
	for (size_t i = 0; i < rows->keys->n; i++)
		if (table_cell(rows->table, STYLE_NONE, "%s", row->key[i]) < 0)
			return -ENOMEM;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (table_cell(rows->table, STYLE_NONE, "%lld", (long long)number(row, i)) < 0)
			return -ENOMEM;
	return 0;
}

static void print_counts(const struct render *r, const struct task_counts *n)
{
	render_line(r, STYLE_NONE,
		    "tasks: %lld (%lld ok, %lld failed, %lld killed, %lld unknown, %lld running), "
		    "%lld with a verdict",
		    (long long)n->tasks, (long long)n->ok, (long long)n->failed,
		    (long long)n->killed, (long long)n->unknown, (long long)n->running,
		    (long long)n->with_verdict);
}

static int taxonomy_json(struct query *q, const struct query_filter *filter,
			 const struct keys *keys, const struct task_counts *counts, size_t *n)
{
	struct rows rows = { .keys = keys, .json = json_object_new_array() };
	_cleanup_json_ struct json_object *o = json_object_new_object();
	int r;

	if (!o || !rows.json) {
		json_object_put(rows.json);
		return -ENOMEM;
	}
	json_object_object_add(o, "schema", json_object_new_int(JSON_SCHEMA));
	json_object_object_add(o, "tasks", cli_counts_json(counts));
	json_object_object_add(o, "rows", rows.json);
	r = query_taxonomy(q, filter, keys->key, keys->n, add_row, &rows);
	if (r == 0)
		cli_print_json(TAKE_PTR(o));
	*n = rows.n;
	return r;
}

static int taxonomy_text(const struct cli *c, struct query *q, const struct query_filter *filter,
			 const struct keys *keys, const struct task_counts *counts, size_t *n)
{
	struct column_spec columns[MAX_KEYS + ARRAY_SIZE(numbers)];
	_cleanup_table_ struct table *table = NULL;
	struct rows rows = { .keys = keys };
	struct render render;
	int r;

	for (size_t i = 0; i < keys->n; i++)
		columns[i] = (struct column_spec){ keys->key[i], COLUMN_FLEX };
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		columns[keys->n + i] = (struct column_spec){ numbers[i].name, COLUMN_RIGHT };
	r = table_new(&table, columns, keys->n + ARRAY_SIZE(numbers));
	if (r < 0)
		return r;
	rows.table = table;
	r = query_taxonomy(q, filter, keys->key, keys->n, add_row, &rows);
	if (r < 0)
		return r;
	render_init(&render, stdout, c->utc);
	if (rows.n)
		table_print(table, &render);
	print_counts(&render, counts);
	*n = rows.n;
	return 0;
}

int cmd_taxonomy(struct cli *c)
{
	_cleanup_(keys_clear) struct keys keys = { 0 };
	_cleanup_query_ struct query *q = NULL;
	struct task_counts counts = { 0 };
	struct query_filter filter;
	size_t n = 0;
	int r = parse_keys(c, &keys);

	if (r)
		return r;
	if (cli_open(c, &q) < 0)
		return EXIT_FAILED;
	cli_filter(c, &filter);
	filter.all_attempts = true;
	r = query_counts(q, &filter, &counts);
	if (r == 0)
		r = c->json ? taxonomy_json(q, &filter, &keys, &counts, &n)
			    : taxonomy_text(c, q, &filter, &keys, &counts, &n);
	if (r < 0)
		return cli_query_failed(r);
	/* Tasks that failed in no way are an answer too, but not to a question for a kind. */
	if (n == 0 && !(c->given & (OPT_LEVEL | OPT_PRIMITIVE | OPT_CAUSE)))
		n = (size_t)counts.tasks;
	return cli_matched(c, n, "tasks");
}
