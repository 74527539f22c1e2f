/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>

#include "../daemon/json.h"
#include "cli.h"

struct list {
	const struct cli *cli;
	struct call_table *table;
	size_t rows;
};

static int list_call(const struct call_record *call, const struct task_record *t, void *arg)
{
	_cleanup_json_ struct json_object *o = json_call_of(call, t);
	struct list *l = arg;

	if (!o)
		return -ENOMEM;
	l->rows++;
	if (!l->cli->json)
		return call_table_add(l->table, o);
	cli_array_item(l->rows - 1, TAKE_PTR(o));
	return 0;
}

static bool is_whole(const struct cli *c)
{
	return !(c->given &
		 (OPT_TOOL | OPT_SUBJECT | OPT_FAILED | OPT_SINCE | OPT_LIMIT | OPT_LABEL));
}

/* Of one task: what befell its channels, and what was only counted. */
static int list_rest(const struct cli *c, const struct render *r, struct query *q,
		     const struct task_record *t, size_t rows)
{
	if (is_whole(c) && t->calls > (int64_t)rows)
		say("%lld more calls were counted, but not kept",
		    (long long)t->calls - (long long)rows);
	return c->json ? 0 : call_incidents_print(r, q, t->id);
}

static int list_calls(const struct cli *c, struct query *q, const struct query_filter *f,
		      const struct task_record *t)
{
	_cleanup_call_table_ struct call_table *table = NULL;
	struct list list = { .cli = c };
	struct render r;
	int err;

	render_init(&r, stdout, c->utc);
	err = call_table_new(&table, &r, !t);
	list.table = table;
	if (err == 0)
		err = query_calls(q, f, list_call, &list);
	if (err < 0)
		return cli_query_failed(err);
	if (c->json)
		cli_array_end(list.rows);
	else
		call_table_print(table);
	err = t ? list_rest(c, &r, q, t, list.rows) : 0;
	return err < 0 ? cli_query_failed(err) : cli_matched(c, list.rows, "calls");
}

int cmd_task_calls(struct cli *c)
{
	_cleanup_query_ struct query *q = NULL;
	_cleanup_task_ struct task_record t = { 0 };
	struct query_filter filter;
	int err;

	if (cli_open(c, &q) < 0)
		return EXIT_FAILED;
	cli_filter(c, &filter);
	if (!c->n_args)
		return list_calls(c, q, &filter, NULL);
	err = cli_find_task(c, q, c->args[0], &t);
	if (err < 0)
		return err == -ENOENT ? EXIT_NOTHING : EXIT_FAILED;
	filter.campaign = t.campaign;
	filter.task = t.task;
	filter.attempt = t.attempt;
	return list_calls(c, q, &filter, &t);
}
