/* SPDX-License-Identifier: GPL-2.0-only */
/* `task begin`, `task end` and `task call`: the daemon does it. */
#include <errno.h>
#include <string.h>

#include "../daemon/json.h"
#include "cli.h"
#include "request.h"

static void print_begun(const struct cli *c, struct json_object *reply)
{
	struct render r;

	render_init(&r, stdout, c->utc);
	render_line(&r, STYLE_NONE, "task %s, campaign %s: attempt %lld begun (instance %lld)",
		    c->args[0], c->campaign ? c->campaign : REQUEST_CAMPAIGN,
		    (long long)field_int(reply, "attempt", 1),
		    (long long)field_int(reply, "instance", 0));
}

int cmd_task_begin(struct cli *c)
{
	_cleanup_client_ struct client *client = NULL;
	_cleanup_json_ struct json_object *request = NULL, *reply = NULL;

	if (!(c->given & OPT_CGROUP) == !(c->given & OPT_PID))
		return usage_error(c, "want either --cgroup or --pid");
	if (cli_need_daemon(c, &client) < 0)
		return EXIT_FAILED;
	request = request_begin(c, c->args[0], "begin", (pid_t)c->pid);
	if (cli_call(client, "task begin", TAKE_PTR(request), &reply) < 0)
		return EXIT_FAILED;
	if (c->json)
		cli_print_json(TAKE_PTR(reply));
	else
		print_begun(c, reply);
	return EXIT_DONE;
}

int cmd_task_end(struct cli *c)
{
	_cleanup_client_ struct client *client = NULL;
	_cleanup_json_ struct json_object *reply = NULL;
	struct request_end end = {
		.task = c->args[0],
		.outcome = c->outcome,
		.exit_code = (int)c->exit_code,
		.signal = (int)c->signal,
		.note = c->note,
		.result = c->result,
		.why = c->why,
	};
	struct json_object *task;
	struct render r;

	if (c->why && !c->result)
		return usage_error(c, "--why goes with --result");
	if (cli_need_daemon(c, &client) < 0)
		return EXIT_FAILED;
	if (cli_call(client, "task end", request_end(c, &end), &reply) < 0)
		return EXIT_FAILED;
	task = field(reply, "task");
	if (c->json) {
		cli_print_json(json_object_get(task));
		return EXIT_DONE;
	}
	render_init(&r, stdout, c->utc);
	task_text_explain(&r, task);
	return EXIT_DONE;
}

int cmd_task_call(struct cli *c)
{
	_cleanup_client_ struct client *client = NULL;
	_cleanup_json_ struct json_object *reply = NULL;

	if (!c->tool)
		return usage_error(c, "--tool is missing");
	if (cli_need_daemon(c, &client) < 0)
		return EXIT_FAILED;
	if (cli_call(client, "task call", request_call(c, c->args[0]), &reply) < 0)
		return EXIT_FAILED;
	if (c->json)
		cli_print_json(TAKE_PTR(reply));
	return EXIT_DONE;
}
