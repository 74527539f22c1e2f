/* SPDX-License-Identifier: GPL-2.0-only */
/* The shared daemon stops, dies and comes back; and the database stays. In the order of the table. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "../../daemon/store.h"
#include "suite.h"

static void fail_in(struct run *t, const char *cgroup, const char *words)
{
	const char *const list[] = { cgroup, NULL };
	struct child c;

	task_prepare(t, &c, "actor", list, words);
	child_go(&c);
	equal_int(t, words, task_finish(t, &c), 0);
}

static bool start_again(struct run *t)
{
	return check(t, daemon_start(&shared, shared.dir) == 0, "the daemon does not start");
}

static void check_gaps(struct run *t)
{
	equal_int(t, "gaps", sql_number(&shared, "SELECT count(*) FROM gap"), 2);
	equal_int(t, "gaps that end before they begin",
		  sql_number(&shared,
			     "SELECT count(*) FROM gap WHERE from_ns <= 0 OR to_ns < from_ns"),
		  0);
}

/* An open task goes on over a clean stop and over a kill: exact, but for what nobody watched. */
static void restarts(struct run *t)
{
	char top[PATH_MAX];

	cgroup_make(t, top, "restarts");
	begin_cgroup(t, "restarts", top);
	fail_in(t, top, "fail=5");
	equal_int(t, "SIGTERM: its status", daemon_stop(&shared, SIGTERM), 0);
	check(t, access(shared.socket, F_OK) < 0, "the socket %s is still there", shared.socket);
	equal_int(t, "SIGTERM: what was seen", tally(&shared, "restarts", OPENS), 5);
	fail_in(t, top, "fail=100");
	if (!start_again(t))
		return;
	fail_in(t, top, "fail=7");
	flush(t, &shared);
	equal_int(t, "SIGKILL: its status", daemon_stop(&shared, SIGKILL), SIGKILL);
	fail_in(t, top, "fail=100");
	if (!start_again(t))
		return;
	fail_in(t, top, "fail=9");
	end_counts(t, "restarts", 5 + 7 + 9);
	check_gaps(t);
}

static void clean_stop(struct run *t)
{
	_cleanup_free_ char *log = NULL;

	equal_int(t, "its status", daemon_stop(&shared, SIGTERM), 0);
	check(t, access(shared.socket, F_OK) < 0, "the socket %s is still there", shared.socket);
	log = read_all(shared.log);
	check(t, !strstr(log, "Sanitizer"), "the log says %.1000s", log);
}

static void read_back(struct run *t)
{
	_cleanup_free_ char *integrity = sql_text(&shared, "PRAGMA integrity_check");

	equal_int(t, "version of the schema", sql_number(&shared, "PRAGMA user_version"),
		  STORE_VERSION);
	equal_str(t, "integrity", integrity, "ok");
	equal_int(t, "open tasks that must have ended",
		  sql_number(&shared, "SELECT count(*) FROM task WHERE state <> 'final' AND "
				      "source <> 'unattributed'"),
		  0);
	check(t, sql_number(&shared, "SELECT stopped_ns FROM daemon") > 0, "no stop is on record");
	equal_int(t, "lost", sql_number(&shared, "SELECT coalesce(sum(lost), 0) FROM task"), 0);
	equal_int(t, "requests refused, malformed or too slow",
		  sql_number(&shared, "SELECT coalesce(sum(value <> 0), 0) FROM counter WHERE name "
				      "LIKE 'control_%%'"),
		  0);
	equal_int(
		t, "tasks without a row in the view",
		sql_number(&shared,
			   "SELECT (SELECT count(*) FROM task) - (SELECT count(*) FROM task_view)"),
		0);
	equal_int(t, "failures without a row in the view",
		  sql_number(&shared,
			     "SELECT (SELECT count(*) FROM failure) - (SELECT count(*) FROM "
			     "failure_view)"),
		  0);
}

static void queries_after(struct run *t)
{
	_cleanup_said_ struct said s = { 0 };

	command(t, &s, "sandfault task list --json --db %W/daemon/sandfault.db");
	equal_int(t, "task list", s.status, 0);
	check(t, strstr(s.err, "daemon not running"), "stderr says %s", s.err);
}

const struct test end_tests[] = {
	{ "restarts", .run = restarts, .alone = true },
	{ "clean-stop", .run = clean_stop, .alone = true },
	{ "database", .run = read_back, .alone = true },
	{ "queries-without-daemon", .run = queries_after, .alone = true },
	{ 0 },
};
