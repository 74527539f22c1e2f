/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>

#include "../daemon/json.h"
#include "cli.h"

static int export_task(const struct task_record *t, void *arg)
{
	size_t *n = arg;
	struct json_object *o = json_task(t, true);

	if (!o)
		return -ENOMEM;
	(*n)++;
	cli_print_json(o);
	/* Whoever reads may be gone: no need to walk the rest. */
	return ferror(stdout) ? -EIO : 0;
}

int cmd_export(struct cli *c)
{
	_cleanup_query_ struct query *q = NULL;
	struct query_filter filter;
	size_t n = 0;
	int r = cli_open(c, &q);

	if (r < 0)
		return EXIT_FAILED;
	cli_filter(c, &filter);
	filter.all = true;
	filter.all_attempts = true;
	r = query_tasks(q, &filter, true, export_task, &n);
	if (r < 0 && ferror(stdout))
		return EXIT_FAILED;
	if (r < 0)
		return cli_query_failed(r);
	return cli_matched(c, n, "tasks");
}
