/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>

#include "../daemon/json.h"
#include "cli.h"

static const struct column_spec columns[] = {
	{ "STARTED", COLUMN_LEFT, 3 }, { "CAMPAIGN", COLUMN_FLEX, 2 },
	{ "TASK", COLUMN_FLEX },       { "OUTCOME", COLUMN_LEFT },
	{ "VERDICT", COLUMN_FLEX },    { "CONFIDENCE", COLUMN_LEFT, 1 },
};

/* --disagree: both words. */
static const struct column_spec disagree_columns[] = {
	{ "STARTED", COLUMN_LEFT, 3 },	  { "CAMPAIGN", COLUMN_FLEX, 2 },
	{ "TASK", COLUMN_FLEX },	  { "OUTCOME", COLUMN_LEFT, 4 },
	{ "CAMPAIGN SAYS", COLUMN_FLEX }, { "VERDICT", COLUMN_FLEX },
	{ "CONFIDENCE", COLUMN_LEFT, 1 },
};

struct list {
	const struct cli *cli;
	struct render render;
	struct table *table;
	size_t rows;
};

static int add_word(struct list *l, struct json_object *task)
{
	const char *why = field_str(task, "why");

	return table_cell(l->table, STYLE_NONE, "%s%s%s", field_str(task, "result"),
			  *why ? ": " : "", why);
}

static int add_row(struct list *l, struct json_object *task)
{
	struct json_object *verdict = field(task, "verdict");
	_cleanup_free_ char *name = task_text_name(task), *outcome = outcome_text(task);
	_cleanup_free_ char *what = verdict ? failure_text(verdict) : NULL;
	char started[40];

	time_text(&l->render, task, "started", started, sizeof(started));
	if (table_cell(l->table, STYLE_NONE, "%s", started) < 0 ||
	    table_cell(l->table, STYLE_NONE, "%s", field_str(task, "campaign")) < 0 ||
	    table_cell(l->table, STYLE_NONE, "%s", name) < 0 ||
	    table_cell(l->table, STYLE_NONE, "%s", outcome) < 0 ||
	    (l->cli->disagree && add_word(l, task) < 0) ||
	    table_cell(l->table, verdict ? failure_style(verdict) : STYLE_NONE, "%s",
		       what ? what : "-") < 0)
		return -ENOMEM;
	return table_cell(l->table, STYLE_NONE, "%s", field_str(verdict, "confidence"));
}

static int list_task(const struct task_record *t, void *arg)
{
	struct list *l = arg;
	_cleanup_json_ struct json_object *o = json_task(t, l->cli->all);

	if (!o)
		return -ENOMEM;
	l->rows++;
	if (!l->cli->json)
		return add_row(l, o);
	cli_array_item(l->rows - 1, TAKE_PTR(o));
	return 0;
}

int cmd_task_list(struct cli *c)
{
	_cleanup_query_ struct query *q = NULL;
	_cleanup_table_ struct table *table = NULL;
	struct list list = { .cli = c };
	struct query_filter filter;
	int r = cli_open(c, &q);

	if (r < 0)
		return EXIT_FAILED;
	if ((c->disagree ? table_new(&table, disagree_columns, ARRAY_SIZE(disagree_columns))
			 : table_new(&table, columns, ARRAY_SIZE(columns))) < 0)
		return cli_query_failed(-ENOMEM);
	list.table = table;
	render_init(&list.render, stdout, c->utc);
	cli_filter(c, &filter);
	filter.all_attempts = c->all;
	r = query_tasks(q, &filter, true, list_task, &list);
	if (r < 0)
		return cli_query_failed(r);
	if (c->json)
		cli_array_end(list.rows);
	else if (list.rows)
		table_print(table, &list.render);
	return cli_matched(c, list.rows, "tasks");
}
