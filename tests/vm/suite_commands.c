/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line, on the shared daemon; and what is there when it has stopped. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "suite.h"

#define AT_DAEMON "--socket %W/daemon/control.sock --db %W/daemon/sandfault.db"
#define RUN	  "sandfault run " AT_DAEMON " --campaign run -o %D/task.json "

/* The final JSON that `run -o` left. */
static struct json_object *left(struct run *t)
{
	_cleanup_free_ char *path = expand(t, "%D/task.json"), *text = read_all(path);
	struct json_object *o = json_tokener_parse(text);

	unlink(path);
	check(t, o, "%s: expected a task's JSON, got %.100s", path, text);
	return o;
}

static void run_one(struct run *t, const char *words, int status, const struct want *want)
{
	_cleanup_json_ struct json_object *task = NULL;
	_cleanup_said_ struct said s = { 0 };

	command(t, &s, words);
	equal_int(t, words, s.status, status);
	task = left(t);
	judge(t, task, want);
	if (want->verdict)
		check(t, strstr(s.err, want->verdict), "expected %s on stderr, got %.500s",
		      want->verdict, s.err);
}

static void run_statuses(struct run *t)
{
	static const struct want fine = { NULL, NULL, "ok" };
	static const struct want plain = { "workload/exit/non-zero", NULL, "failed", 3 };
	static const struct want killed = { "workload/crash/signal", NULL, "killed",
					    .signal = "SIGABRT" };

	run_one(t, RUN "--task r-0 -- %A exit=0", 0, &fine);
	run_one(t, RUN "--task r-3 -- %A exit=3", 3, &plain);
	run_one(t, RUN "--task r-6 -- %A limit=core:0 raise=6", 128 + 6, &killed);
}

static void run_refusals(struct run *t)
{
	static const struct want absent = { "sandbox/binary/not-found",
					    "/nowhere/program",
					    "failed",
					    127,
					    NULL,
					    "execve",
					    "ENOENT",
					    1 };
	static const struct want closed = { "sandbox/file-permission/denied",
					    "%D/plain",
					    "failed",
					    126,
					    NULL,
					    "execve",
					    "EACCES",
					    1 };
	_cleanup_said_ struct said s = { 0 };

	write_file(t, "%D/plain", 0644, "x");
	run_one(t, RUN "--task r-127 -- /nowhere/program", 127, &absent);
	run_one(t, RUN "--task r-126 -- %D/plain", 126, &closed);
	command(t, &s, "sandfault run --socket /nowhere/control.sock -- %A exit=0");
	equal_int(t, "no daemon there", s.status, 125);
	check(t, strstr(s.err, "/nowhere/control.sock"), "expected the socket's name, got %s",
	      s.err);
}

/* `run` without a daemon starts one of its own. */
static void run_private(struct run *t)
{
	static const struct want want = {
		"sandbox/read-only/mount", "%D/f", "failed", 1, NULL, "openat", "EROFS", 1
	};

	run_one(t,
		"sandfault run --db %D/own.db --task alone -o %D/task.json -- %A space=mount "
		"readonly=%D create=%D/f",
		1, &want);
}

static struct json_object *json_of(struct run *t, const char *words)
{
	_cleanup_said_ struct said s = { 0 };
	struct json_object *o;

	command(t, &s, words);
	equal_int(t, words, s.status, 0);
	o = json_tokener_parse(s.out);
	check(t, o, "%s: no JSON: %.200s", words, s.out);
	return o;
}

static void check_sensor(struct run *t, struct json_object *s)
{
	const char *name = field_at(s, "name"), *state = field_at(s, "state");
	bool active = strcmp(state, "active") == 0;

	check(t, *name && *state, "a sensor without name or state: %s",
	      json_object_to_json_string(s));
	equal_str(t, name, state, sensor_state(&shared, name));
	check(t, active || (*field_at(s, "reason") && *field_at(s, "lost")),
	      "%s is %s, and neither why nor what is lost is said", name, state);
	check(t, active || strcmp(field_at(s, "optional"), "true") == 0, "%s is needed and %s",
	      name, state);
}

static void doctor(struct run *t)
{
	static const char *const needed[] = { "cgroups", "processes", "signals", "oom",
					      "syscalls" };
	_cleanup_json_ struct json_object *o = json_of(t, "sandfault doctor --json " AT_DAEMON);
	_cleanup_said_ struct said s = { 0 };
	struct json_object *list;

	if (!o || !json_object_object_get_ex(o, "sensors", &list))
		return;
	for (size_t i = 0; i < json_object_array_length(list); i++)
		check_sensor(t, json_object_array_get_idx(list, i));
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++)
		equal_str(t, needed[i], sensor_state(&shared, needed[i]), "active");
	command(t, &s, "sandfault doctor " AT_DAEMON);
	equal_int(t, "doctor", s.status, 0);
	check(t, strstr(s.out, "all that is needed is there"), "doctor says %s", s.out);
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++)
		check(t, strstr(s.out, needed[i]), "doctor does not name %s", needed[i]);
}

static void status(struct run *t)
{
	_cleanup_json_ struct json_object *o = json_of(t, "sandfault status --json " AT_DAEMON);
	_cleanup_said_ struct said s = { 0 };

	equal_str(t, "running", field_at(o, "daemon.running"), "true");
	equal_int(t, "pid", number_at(o, "daemon.pid"), shared.pid);
	equal_int(t, "lost_sig", number_at(o, "counters.lost_sig"), 0);
	equal_int(t, "lost_rare", number_at(o, "counters.lost_rare"), 0);
	command(t, &s, "sandfault status " AT_DAEMON);
	check(t, strstr(s.out, "running"), "status says %s", s.out);
}

static int64_t first_row(struct json_object *o, const char *key)
{
	struct json_object *rows;

	if (!json_object_object_get_ex(o, "rows", &rows) || json_object_array_length(rows) != 1)
		return -1;
	return number_at(json_object_array_get_idx(rows, 0), key);
}

static void queries(struct run *t)
{
	static const struct want want = {
		"sandbox/read-only/mount", "%D/f", "failed", 1, NULL, "openat", "EROFS", 1
	};
	_cleanup_json_ struct json_object *by = NULL, *shown = NULL, *list = NULL;
	_cleanup_said_ struct said s = { 0 };

	for (int i = 0; i < 2; i++)
		run_one(t,
			"sandfault run " AT_DAEMON " --campaign queries --label app=web -o "
			"%D/task.json -- %A space=mount readonly=%D create=%D/f",
			1, &want);
	by = json_of(t, "sandfault taxonomy --json --campaign queries " AT_DAEMON);
	equal_int(t, "tasks", number_at(by, "tasks.all"), 2);
	equal_int(t, "tasks of the row", first_row(by, "tasks"), 2);
	equal_int(t, "events of the row", first_row(by, "events"), 2);
	list = json_of(t, "sandfault failures --json --campaign queries " AT_DAEMON);
	equal_int(t, "failures", list ? (int64_t)json_object_array_length(list) : -1, 2);
	command(t, &s, RUN "--task shown -- %A space=mount readonly=%D create=%D/f");
	shown = json_of(t, "sandfault task show --json --campaign run shown " AT_DAEMON);
	judge(t, shown, &want);
}

const struct test command_tests[] = {
	{ "run-statuses", .run = run_statuses },
	{ "run-refusals", .run = run_refusals },
	{ "run-private", .run = run_private },
	{ "doctor", .run = doctor },
	{ "queries", .run = queries },
	{ "status", .run = status, .alone = true }, /* at the end it speaks of all that was lost */
	{ 0 },
};
