/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>

#include "../daemon/json.h"
#include "../daemon/names.h"
#include "cli.h"

static const struct column_spec columns[] = {
	{ "FAILURE", COLUMN_LEFT },   { "KIND", COLUMN_LEFT },
	{ "SUBJECT", COLUMN_FLEX },   { "DISPOSITION", COLUMN_LEFT, 4 },
	{ "COUNT", COLUMN_RIGHT, 5 }, { "CALL", COLUMN_LEFT, 3 },
	{ "BY", COLUMN_LEFT, 1 },     { "CAUSED BY", COLUMN_LEFT, 2 },
};

static void line(const struct render *r, const char *key, const char *value)
{
	if (value && *value)
		render_line(r, STYLE_NONE, "%-10s %s", key, value);
}

static void show_identity(const struct render *r, const struct task_record *t,
			  struct json_object *o)
{
	_cleanup_free_ char *outcome = outcome_text(o), *labels = labels_text(o);
	_cleanup_free_ char *calls = calls_count_text(o);
	char when[40];

	render_line(r, STYLE_BOLD, "%-10s %s, attempt %d", "task", t->task, t->attempt);
	line(r, "campaign", t->campaign);
	line(r, "labels", labels);
	line(r, "source", t->source);
	line(r, "cgroup", t->cgroup);
	line(r, "note", t->note);
	time_text(r, o, "started", when, sizeof(when));
	line(r, "started", when);
	time_text(r, o, "ended", when, sizeof(when));
	line(r, "ended", when);
	line(r, "outcome", outcome);
	if (t->result)
		render_line(r, STYLE_NONE, "%-10s the campaign says %s%s%s", "result",
			    campaign_result_name(t->result), t->why ? ": " : "",
			    t->why ? t->why : "");
	if (t->calls)
		line(r, "calls", calls);
	render_line(r, t->lost ? STYLE_WARN : STYLE_NONE,
		    "%-10s %lld failing calls, %lld of them noise; %lld failures handled; %lld "
		    "events lost",
		    "counted", (long long)t->failed, (long long)t->noise, (long long)t->handled,
		    (long long)t->lost);
}

static void show_verdict(const struct render *r, struct json_object *o)
{
	struct json_object *verdict = field(o, "verdict");
	_cleanup_free_ char *what = NULL;

	if (!verdict) {
		line(r, "verdict", "none: nothing to report");
		return;
	}
	what = failure_text(verdict);
	render_line(r, failure_style(verdict), "%-10s %s (%s, %s)", "verdict", what,
		    field_str(verdict, "confidence"), field_str(verdict, "failure"));
	line(r, "", field_str(verdict, "summary"));
	line(r, "remedy", field_str(verdict, "remedy"));
}

static int add_failure(struct table *t, struct json_object *f)
{
	const char *syscall = field_str(f, "syscall"), *error = field_str(f, "errno");

	if (table_cell(t, STYLE_NONE, "%s%s", field_str(f, "id"),
		       json_object_get_boolean(field(f, "late")) ? " (late)" : "") < 0 ||
	    table_cell(t, failure_style(f), "%s/%s/%s", field_str(f, "level"),
		       field_str(f, "primitive"), field_str(f, "cause")) < 0 ||
	    table_cell(t, STYLE_NONE, "%s", field_str(f, "subject")) < 0 ||
	    table_cell(t, STYLE_NONE, "%s", field_str(f, "disposition")) < 0 ||
	    table_cell(t, STYLE_NONE, "%lld", (long long)field_int(f, "count", 1)) < 0 ||
	    table_cell(t, STYLE_NONE, "%s%s%s", syscall, *syscall && *error ? " " : "", error) <
		    0 ||
	    table_cell(t, STYLE_NONE, "%s[%lld]", field_str(f, "comm"),
		       (long long)field_int(f, "pid", 0)) < 0)
		return -ENOMEM;
	return table_cell(t, STYLE_NONE, "%s", field_str(f, "caused_by"));
}

static int show_failures(const struct render *r, struct json_object *o)
{
	struct json_object *list = field(o, "failures");
	_cleanup_table_ struct table *table = NULL;
	size_t n = list ? json_object_array_length(list) : 0;

	if (n == 0)
		return 0;
	if (table_new(&table, columns, ARRAY_SIZE(columns)) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (add_failure(table, json_object_array_get_idx(list, i)) < 0)
			return -ENOMEM;
	render_line(r, STYLE_NONE, "%s", "");
	table_print(table, r);
	for (size_t i = 0; i < n; i++) {
		struct json_object *f = json_object_array_get_idx(list, i);
		struct json_object *evidence = field(f, "evidence");

		for (size_t k = 0; evidence && k < json_object_array_length(evidence); k++)
			render_line(r, STYLE_NONE, "%-4s %s", field_str(f, "id"),
				    json_object_get_string(json_object_array_get_idx(evidence, k)));
	}
	return 0;
}

static int tally_cell(const struct tally_record *row, void *arg)
{
	static const char *const entries[] = {
		"", "refused by seccomp", "entry unseen", "under ptrace", "", "",
		"", "through io_uring"
	};
	struct table *t = arg;
	const char *note =
		row->entry >= 0 && row->entry < (int)ARRAY_SIZE(entries) ? entries[row->entry] : "";

	if (table_cell(t, STYLE_NONE, "%lld", (long long)row->count) < 0 ||
	    table_cell(t, STYLE_NONE, "%s", row->syscall) < 0 ||
	    table_cell(t, STYLE_NONE, "%s", names_errno(row->err)) < 0)
		return -ENOMEM;
	return table_cell(t, STYLE_NONE, "%s%s%s", row->abi ? "32-bit" : "",
			  row->abi && *note ? ", " : "", note);
}

/* Every failing call, noise too: what --all adds. */
static int show_tally(const struct render *r, struct query *q, int64_t id)
{
	static const struct column_spec tally[] = {
		{ "COUNT", COLUMN_RIGHT },
		{ "CALL", COLUMN_LEFT },
		{ "ERRNO", COLUMN_LEFT },
		{ "NOTE", COLUMN_FLEX },
	};
	_cleanup_table_ struct table *table = NULL;
	int err;

	if (table_new(&table, tally, ARRAY_SIZE(tally)) < 0)
		return -ENOMEM;
	err = query_tally(q, id, tally_cell, table);
	if (err < 0 || table_rows(table) == 0)
		return err;
	render_line(r, STYLE_NONE, "%s", "");
	table_print(table, r);
	return 0;
}

static int take_call(const struct call_record *call, const struct task_record *t, void *arg)
{
	_cleanup_json_ struct json_object *o = json_call(call);

	return o ? call_table_add(arg, o) : -ENOMEM;
}

static int show_calls(const struct render *r, struct query *q, int64_t id)
{
	_cleanup_call_table_ struct call_table *table = NULL;
	int err = call_table_new(&table, r, false);

	if (err == 0)
		err = query_task_calls(q, id, take_call, table);
	if (err < 0)
		return err;
	render_line(r, STYLE_NONE, "%s", "");
	call_table_print(table);
	return call_incidents_print(r, q, id);
}

int cmd_task_show(struct cli *c)
{
	_cleanup_query_ struct query *q = NULL;
	_cleanup_task_ struct task_record t = { 0 };
	_cleanup_json_ struct json_object *o = NULL;
	struct render r;
	int err;

	if (cli_open(c, &q) < 0)
		return EXIT_FAILED;
	err = cli_find_task(c, q, c->args[0], &t);
	if (err < 0)
		return err == -ENOENT ? EXIT_NOTHING : EXIT_FAILED;
	o = json_task(&t, c->all);
	if (!o)
		return cli_query_failed(-ENOMEM);
	if (c->json && c->calls) {
		err = call_json_add(o, q, t.id);
		if (err < 0)
			return cli_query_failed(err);
	}
	if (c->json) {
		cli_print_json(TAKE_PTR(o));
		return EXIT_DONE;
	}
	render_init(&r, stdout, c->utc);
	show_identity(&r, &t, o);
	show_verdict(&r, o);
	err = show_failures(&r, o);
	if (err == 0 && c->calls)
		err = show_calls(&r, q, t.id);
	if (err == 0 && c->all)
		err = show_tally(&r, q, t.id);
	return err < 0 ? cli_query_failed(err) : EXIT_DONE;
}
