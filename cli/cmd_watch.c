/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>

#include "../daemon/json.h"
#include "../daemon/since.h"
#include "cli.h"
#include "request.h"

static void print_failure(const struct render *r, struct json_object *o)
{
	_cleanup_free_ char *name = task_text_name(o), *what = failure_text(o);
	char when[40];

	time_text(r, o, "last", when, sizeof(when));
	render_line(r, failure_style(o), "%s  %s/%s  %s (%s, %s)", when, field_str(o, "campaign"),
		    name, what, field_str(o, "disposition"), field_str(o, "confidence"));
}

static void print_task(const struct render *r, struct json_object *o)
{
	_cleanup_free_ char *name = task_text_name(o), *outcome = outcome_text(o), *what = NULL;
	struct json_object *verdict = field(o, "verdict");
	char when[40];

	if (strcmp(field_str(o, "state"), task_state_name(STATE_FINAL)) != 0)
		return;
	time_text(r, o, "ended", when, sizeof(when));
	what = verdict ? failure_text(verdict) : strdup("nothing to report");
	render_line(r, verdict ? STYLE_BOLD : STYLE_GOOD, "%s  %s/%s  ended: %s; %s%s", when,
		    field_str(o, "campaign"), name, outcome, verdict ? "verdict " : "",
		    what ? what : "");
}

static void print_alert(const struct render *r, struct json_object *o)
{
	bool firing = strcmp(field_str(o, "state"), "firing") == 0;
	char when[40];

	time_text(r, o, firing ? "fired" : "resolved", when, sizeof(when));
	render_line(r, firing ? STYLE_BAD : STYLE_GOOD, "%s  alert %s: %s/%s, %lld tasks", when,
		    field_str(o, "state"), field_str(o, "level"), field_str(o, "primitive"),
		    (long long)field_int(o, "tasks", 0));
}

/* The daemon says which; one that says none tells what this reader lost. */
static const struct {
	const char *event;
	void (*print)(const struct render *r, struct json_object *o);
} events[] = {
	{ "failure", print_failure },
	{ "task", print_task },
	{ "alert", print_alert },
};

static void print_event(const struct render *r, const struct cli *c, struct json_object *o)
{
	const char *event = field_str(o, "event");

	if (!*event && field(o, "lost"))
		say("%lld events were lost: this reader was too slow",
		    (long long)field_int(o, "lost", 0));
	/* A task is of no level. */
	if (c->level && strcmp(event, "task") == 0)
		return;
	if (c->json) {
		cli_print_json(json_object_get(o));
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (strcmp(events[i].event, event) == 0)
			events[i].print(r, o);
}

static int follow(const struct cli *c, struct client *client)
{
	struct render r;
	int err;

	render_init(&r, stdout, c->utc);
	for (;;) {
		_cleanup_json_ struct json_object *o = NULL;

		err = client_read(client, &o);
		if (err < 0)
			break;
		print_event(&r, c, o);
		if (fflush(stdout) != 0)
			return EXIT_FAILED;
	}
	say("watch: the daemon at %s went away: %s", c->socket,
	    err == -EPIPE ? "it closed the connection" : strerror(-err));
	return EXIT_FAILED;
}

int cmd_watch(struct cli *c)
{
	_cleanup_client_ struct client *client = NULL;
	_cleanup_json_ struct json_object *request = request_op("watch"), *reply = NULL;

	if (cli_need_daemon(c, &client) < 0)
		return EXIT_FAILED;
	if (request && c->campaign)
		json_add_bytes(request, "campaign", c->campaign, strlen(c->campaign));
	if (request && c->level)
		json_object_object_add(request, "level", json_object_new_string(c->level));
	if (cli_call(client, "watch", TAKE_PTR(request), &reply) < 0)
		return EXIT_FAILED;
	return follow(c, client);
}
