/* SPDX-License-Identifier: GPL-2.0-only */
/* `channel list`, `channel add`, `channel remove`: what the daemon observes of tools, and servers
 * outside of every task. */
#include <errno.h>
#include <string.h>

#include "../daemon/json.h"
#include "cli.h"
#include "request.h"

static const struct column_spec columns[] = {
	{ "SESSION", COLUMN_RIGHT }, { "KIND", COLUMN_LEFT },  { "SERVER", COLUMN_RIGHT },
	{ "CLIENT", COLUMN_RIGHT },  { "OPEN", COLUMN_RIGHT }, { "LAST", COLUMN_LEFT, 1 },
	{ "TASK", COLUMN_FLEX },
};

static int pid_cell(struct table *t, struct json_object *o, const char *key)
{
	int64_t pid = field_int(o, key, 0);

	return pid ? table_cell(t, STYLE_NONE, "%lld", (long long)pid)
		   : table_cell(t, STYLE_DIM, "-");
}

static int session_row(struct table *t, const struct render *r, struct json_object *o)
{
	const char *kind = field_str(o, "kind"), *task = field_str(o, "task");
	bool http = json_object_get_boolean(field(o, "http"));
	char last[40];

	time_text(r, o, "last", last, sizeof(last));
	if (table_cell(t, STYLE_NONE, "%lld", (long long)field_int(o, "session", 0)) < 0 ||
	    table_cell(t, STYLE_NONE, "%s%s", kind, http ? " http" : "") < 0 ||
	    pid_cell(t, o, "server") < 0 || pid_cell(t, o, "client") < 0 ||
	    table_cell(t, STYLE_NONE, "%lld", (long long)field_int(o, "open", 0)) < 0 ||
	    table_cell(t, STYLE_NONE, "%s", last) < 0)
		return -ENOMEM;
	return table_cell(t, *task ? STYLE_NONE : STYLE_DIM, "%s", *task ? task : "-");
}

static int print_sessions(const struct render *r, struct json_object *list)
{
	_cleanup_table_ struct table *t = NULL;
	size_t n = json_object_array_length(list);
	int ret = table_new(&t, columns, ARRAY_SIZE(columns));

	for (size_t i = 0; ret == 0 && i < n; i++)
		ret = session_row(t, r, json_object_array_get_idx(list, i));
	if (ret == 0 && n)
		table_print(t, r);
	return ret;
}

static void print_server(const struct render *r, struct json_object *o)
{
	struct json_object *by = field(o, "by");
	const char *why = json_object_get_string(json_object_array_get_idx(by, 0));

	if (field_int(o, "pid", 0))
		render_line(r, STYLE_NONE, "server: process %lld and its descendants, by %s",
			    (long long)field_int(o, "pid", 0), why ? why : "?");
	else
		render_line(r, STYLE_NONE, "server: cgroup %s, by %s", field_str(o, "cgroup"),
			    why ? why : "?");
}

static int print_list(const struct cli *c, struct json_object *reply)
{
	struct json_object *sessions = field(reply, "sessions"), *servers = field(reply, "servers"),
			   *patterns = field(reply, "patterns");
	struct render r;

	render_init(&r, stdout, c->utc);
	if (print_sessions(&r, sessions) < 0) {
		say("no memory");
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < json_object_array_length(servers); i++)
		print_server(&r, json_object_array_get_idx(servers, i));
	for (size_t i = 0; i < json_object_array_length(patterns); i++)
		render_line(&r, STYLE_NONE, "pattern: %s",
			    json_object_get_string(json_object_array_get_idx(patterns, i)));
	if (!json_object_array_length(sessions))
		say("no tool channel is open");
	return EXIT_DONE;
}

static int request(struct cli *c, const char *action, struct json_object **reply)
{
	_cleanup_client_ struct client *client = NULL;
	_cleanup_free_ char *what = NULL;
	int r = cli_need_daemon(c, &client);

	if (r < 0)
		return r;
	if (asprintf(&what, "channel %s", action) < 0)
		what = NULL;
	return cli_call(client, what ? what : "channel", request_channel(c, action), reply);
}

int cmd_channel_list(struct cli *c)
{
	_cleanup_json_ struct json_object *reply = NULL;

	if (request(c, "list", &reply) < 0)
		return EXIT_FAILED;
	if (!c->json)
		return print_list(c, reply);
	cli_print_json(TAKE_PTR(reply));
	return EXIT_DONE;
}

static int change(struct cli *c, const char *action)
{
	_cleanup_json_ struct json_object *reply = NULL;

	if (!!(c->given & OPT_PID) + !!(c->given & OPT_CGROUP) + !!(c->given & OPT_PATTERN) != 1)
		return usage_error(c, "want one of --pid, --cgroup, --pattern");
	if (request(c, action, &reply) < 0)
		return EXIT_FAILED;
	if (c->json)
		cli_print_json(TAKE_PTR(reply));
	return EXIT_DONE;
}

int cmd_channel_add(struct cli *c)
{
	return change(c, "add");
}

int cmd_channel_remove(struct cli *c)
{
	return change(c, "remove");
}
