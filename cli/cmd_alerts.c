/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>

#include "../daemon/json.h"
#include "../daemon/since.h"
#include "cli.h"

static const struct column_spec columns[] = {
	{ "STATE", COLUMN_LEFT },	{ "FIRED", COLUMN_LEFT },
	{ "RESOLVED", COLUMN_LEFT, 1 }, { "PRIMITIVE", COLUMN_LEFT },
	{ "TASKS", COLUMN_RIGHT },	{ "EXPECTED", COLUMN_RIGHT, 3 },
	{ "WINDOW", COLUMN_RIGHT, 2 },	{ "EXAMPLES", COLUMN_FLEX, 4 },
};

struct list {
	const struct cli *cli;
	struct render render;
	struct table *table;
	size_t rows;
};

/* The examples joined by ", "; owned. */
static char *join(char *const *list, size_t n)
{
	char *s = strdup("");

	for (size_t i = 0; s && i < n; i++) {
		char *more = NULL;

		if (asprintf(&more, "%s%s%s", s, i ? ", " : "", list[i]) < 0)
			more = NULL;
		free(s);
		s = more;
	}
	return s;
}

static int add_row(struct list *l, const struct alert_record *a)
{
	_cleanup_free_ char *examples = join(a->examples, a->n_examples);
	char fired[40], resolved[40], window[32];
	struct table *t = l->table;

	if (!examples)
		return -ENOMEM;
	since_format(a->fired_ns, l->cli->utc, fired, sizeof(fired));
	since_format(a->resolved_ns, l->cli->utc, resolved, sizeof(resolved));
	since_span(a->window_ns, window, sizeof(window));
	if (table_cell(t, a->firing ? STYLE_BAD : STYLE_GOOD, "%s",
		       a->firing ? "firing" : "resolved") < 0 ||
	    table_cell(t, STYLE_NONE, "%s", fired) < 0 ||
	    table_cell(t, STYLE_NONE, "%s", resolved) < 0 ||
	    table_cell(t, STYLE_NONE, "%s/%s", level_name(a->level), a->primitive) < 0 ||
	    table_cell(t, STYLE_NONE, "%lld", (long long)a->tasks) < 0 ||
	    table_cell(t, STYLE_NONE, "%.2g", a->expected) < 0 ||
	    table_cell(t, STYLE_NONE, "%s", window) < 0)
		return -ENOMEM;
	return table_cell(t, STYLE_NONE, "%s", examples);
}

static int list_alert(const struct alert_record *a, void *arg)
{
	struct list *l = arg;
	struct json_object *o;

	l->rows++;
	if (!l->cli->json)
		return add_row(l, a);
	o = json_alert(a);
	if (!o)
		return -ENOMEM;
	cli_array_item(l->rows - 1, o);
	return 0;
}

int cmd_alerts(struct cli *c)
{
	_cleanup_query_ struct query *q = NULL;
	_cleanup_table_ struct table *table = NULL;
	struct list list = { .cli = c };
	struct query_filter filter;
	int r = cli_open(c, &q);

	if (r < 0)
		return EXIT_FAILED;
	if (table_new(&table, columns, ARRAY_SIZE(columns)) < 0)
		return cli_query_failed(-ENOMEM);
	list.table = table;
	render_init(&list.render, stdout, c->utc);
	cli_filter(c, &filter);
	r = query_alerts(q, &filter, list_alert, &list);
	if (r < 0)
		return cli_query_failed(r);
	if (c->json)
		cli_array_end(list.rows);
	else if (list.rows)
		table_print(table, &list.render);
	return cli_matched(c, list.rows, "alerts");
}
