/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>

#include "../daemon/json.h"
#include "cli.h"

static const struct column_spec columns[] = {
	{ "FAILURE", COLUMN_LEFT },	  { "LAST", COLUMN_LEFT, 3 },
	{ "CAMPAIGN", COLUMN_FLEX, 2 },	  { "TASK", COLUMN_FLEX },
	{ "KIND", COLUMN_LEFT },	  { "SUBJECT", COLUMN_FLEX },
	{ "COUNT", COLUMN_RIGHT, 5 },	  { "DISPOSITION", COLUMN_LEFT, 4 },
	{ "CONFIDENCE", COLUMN_LEFT, 1 },
};

struct list {
	const struct cli *cli;
	struct render render;
	struct table *table;
	size_t rows;
};

static int add_row(struct list *l, struct json_object *o)
{
	_cleanup_free_ char *name = task_text_name(o);
	struct table *t = l->table;
	char when[40];

	time_text(&l->render, o, "last", when, sizeof(when));
	if (table_cell(t, STYLE_NONE, "%s", field_str(o, "id")) < 0 ||
	    table_cell(t, STYLE_NONE, "%s", when) < 0 ||
	    table_cell(t, STYLE_NONE, "%s", field_str(o, "campaign")) < 0 ||
	    table_cell(t, STYLE_NONE, "%s", name) < 0 ||
	    table_cell(t, failure_style(o), "%s/%s/%s", field_str(o, "level"),
		       field_str(o, "primitive"), field_str(o, "cause")) < 0 ||
	    table_cell(t, STYLE_NONE, "%s", field_str(o, "subject")) < 0 ||
	    table_cell(t, STYLE_NONE, "%lld", (long long)field_int(o, "count", 1)) < 0 ||
	    table_cell(t, STYLE_NONE, "%s", field_str(o, "disposition")) < 0)
		return -ENOMEM;
	return table_cell(t, STYLE_NONE, "%s", field_str(o, "confidence"));
}

static int list_failure(const struct failure_record *f, const struct task_record *t, void *arg)
{
	struct list *l = arg;
	_cleanup_json_ struct json_object *o = json_failure_of(f, t);

	if (!o)
		return -ENOMEM;
	l->rows++;
	if (!l->cli->json)
		return add_row(l, o);
	cli_array_item(l->rows - 1, TAKE_PTR(o));
	return 0;
}

int cmd_failures(struct cli *c)
{
	_cleanup_query_ struct query *q = NULL;
	_cleanup_table_ struct table *table = NULL;
	_cleanup_free_ char *task = NULL;
	struct list list = { .cli = c };
	struct query_filter filter;
	int r = cli_open(c, &q);

	if (r < 0)
		return EXIT_FAILED;
	if (c->task) {
		task = cli_split_task(c->task, &c->attempt);
		c->task = task;
	}
	if (table_new(&table, columns, ARRAY_SIZE(columns)) < 0)
		return cli_query_failed(-ENOMEM);
	list.table = table;
	render_init(&list.render, stdout, c->utc);
	cli_filter(c, &filter);
	r = query_failures(q, &filter, list_failure, &list);
	if (r < 0)
		return cli_query_failed(r);
	if (c->json)
		cli_array_end(list.rows);
	else if (list.rows)
		table_print(table, &list.render);
	return cli_matched(c, list.rows, "failures");
}
