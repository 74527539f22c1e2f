/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>

#include "../daemon/json.h"
#include "cli.h"

/* "f12" -> 12, else 0. */
static int64_t failure_id(const char *s)
{
	char *end;
	int64_t id;

	if (s[0] != 'f' || s[1] < '1' || s[1] > '9')
		return 0;
	errno = 0;
	id = strtoll(s + 1, &end, 10);
	return *end || errno ? 0 : id;
}

/*
 * One failure is explained as its task is, with that failure in the verdict's place: then it has
 * the same shape, and the task's true verdict is among the others.
 */
static int put_in_front(struct json_object *task, const struct failure_record *f)
{
	static const char *const same[] = { "level",   "primitive",   "cause",
					    "subject", "disposition", "confidence" };
	_cleanup_json_ struct json_object *failure = json_failure(f);
	struct json_object *verdict = json_object_new_object();

	if (!failure || !verdict)
		return -ENOMEM;
	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		json_object_object_add(verdict, same[i], json_object_get(field(failure, same[i])));
	json_object_object_add(verdict, "failure", json_object_get(field(failure, "id")));
	json_object_object_add(verdict, "summary", json_object_new_string(f->summary));
	json_object_object_add(verdict, "remedy", json_object_new_string(f->remedy));
	json_object_object_add(task, "verdict", verdict);
	return 0;
}

static int explain_failure(struct cli *c, struct query *q, const struct failure_record *f)
{
	_cleanup_task_ struct task_record t = { 0 };
	_cleanup_json_ struct json_object *o = NULL;
	struct render r;
	int err = query_task(q, f->task_id, true, &t);

	if (err < 0)
		return cli_query_failed(err);
	if (c->json) {
		cli_print_json(json_failure_of(f, &t));
		return EXIT_DONE;
	}
	o = json_task(&t, true);
	if (!o || put_in_front(o, f) < 0)
		return cli_query_failed(-ENOMEM);
	render_init(&r, stdout, c->utc);
	task_text_explain(&r, o);
	return EXIT_DONE;
}

static int explain_task(struct cli *c, struct query *q)
{
	_cleanup_task_ struct task_record t = { 0 };
	_cleanup_json_ struct json_object *o = NULL;
	struct render r;
	int err = cli_find_task(c, q, c->args[0], &t);

	if (err < 0)
		return err == -ENOENT ? EXIT_NOTHING : EXIT_FAILED;
	o = json_task(&t, false);
	if (!o)
		return cli_query_failed(-ENOMEM);
	if (c->json) {
		cli_print_json(TAKE_PTR(o));
		return EXIT_DONE;
	}
	render_init(&r, stdout, c->utc);
	task_text_explain(&r, o);
	return EXIT_DONE;
}

int cmd_explain(struct cli *c)
{
	_cleanup_query_ struct query *q = NULL;
	_cleanup_failure_ struct failure_record f = { 0 };
	int64_t id = failure_id(c->args[0]);
	int r = cli_open(c, &q);

	if (r < 0)
		return EXIT_FAILED;
	/* A task may be called f12 too: the failure is the likelier meaning. */
	r = id ? query_failure(q, id, &f) : -ENOENT;
	if (r == 0)
		return explain_failure(c, q, &f);
	return r == -ENOENT ? explain_task(c, q) : cli_query_failed(r);
}
