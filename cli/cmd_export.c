/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>

#include "../daemon/json.h"
#include "cli.h"

struct exporting {
	struct query *q;
	bool calls;
	size_t n;
};

static int export_task(const struct task_record *t, void *arg)
{
	_cleanup_json_ struct json_object *o = json_task(t, true);
	struct exporting *e = arg;
	int r = o ? 0 : -ENOMEM;

	if (r == 0 && e->calls)
		r = call_json_add(o, e->q, t->id);
	if (r < 0)
		return r;
	e->n++;
	cli_print_json(TAKE_PTR(o));
	/* Whoever reads may be gone: no need to walk the rest. */
	return ferror(stdout) ? -EIO : 0;
}

int cmd_export(struct cli *c)
{
	_cleanup_query_ struct query *q = NULL;
	struct query_filter filter;
	struct exporting e = { .calls = c->calls };
	int r = cli_open(c, &q);

	if (r < 0)
		return EXIT_FAILED;
	e.q = q;
	cli_filter(c, &filter);
	filter.all = true;
	filter.all_attempts = true;
	r = query_tasks(q, &filter, true, export_task, &e);
	if (r < 0 && ferror(stdout))
		return EXIT_FAILED;
	if (r < 0)
		return cli_query_failed(r);
	return cli_matched(c, e.n, "tasks");
}
