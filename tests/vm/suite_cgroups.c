/* SPDX-License-Identifier: GPL-2.0-only */
/* Whose failure it is: by cgroup, by process, by template; and that counts are exact. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "suite.h"

/* An actor in a cgroup, in no task of its own making; the status must be 0. */
static void act_in(struct run *t, const char *name, const char *cgroup, const char *words)
{
	const char *const list[] = { cgroup, NULL };
	struct child c;

	task_prepare(t, &c, name, cgroup ? list : NULL, words);
	child_go(&c);
	equal_int(t, words, task_finish(t, &c), 0);
}

static void nested(struct run *t)
{
	char top[PATH_MAX], early[PATH_MAX], late[PATH_MAX];

	cgroup_make(t, top, "nested");
	cgroup_make(t, early, "nested/early");
	begin_cgroup(t, "nested", top);
	act_in(t, "a", top, "fail=11");
	act_in(t, "b", early, "fail=13");
	cgroup_make(t, late, "nested/late/deeper");
	act_in(t, "c", late, "fail=17");
	end_counts(t, "nested", 11 + 13 + 17);
}

static bool is_final(void *arg)
{
	const char *task = arg;
	_cleanup_free_ char *state =
		sql_text(&shared, "SELECT state FROM task WHERE name = '%s'", task);

	return state && strcmp(state, "final") == 0;
}

static void must_end(struct run *t, const char *task, int64_t opens)
{
	check(t, wait_until(is_final, (void *)task), "%s does not end by itself", task);
	equal_int(t, task, tally(&shared, task, OPENS), opens);
}

static void removed(struct run *t)
{
	char top[PATH_MAX];

	cgroup_make(t, top, "removed");
	begin_cgroup(t, "removed", top);
	act_in(t, "a", top, "fail=7");
	cgroup_remove(top);
	must_end(t, "removed", 7);
}

/* It is removed with its process still in it: that one is killed first. */
static void removed_running(struct run *t)
{
	char top[PATH_MAX], inner[PATH_MAX];
	const char *const list[] = { inner, NULL };
	struct child c;

	cgroup_make(t, top, "removed-running");
	cgroup_make(t, inner, "removed-running/inner");
	begin_cgroup(t, "removed-running", top);
	task_prepare(t, &c, "a", list, "fail=5 hold");
	child_go(&c);
	task_hold(t, &c);
	kill(c.pid, SIGKILL);
	task_finish(t, &c);
	cgroup_remove(inner);
	cgroup_remove(top);
	must_end(t, "removed-running", 5);
}

static void emptied(struct run *t)
{
	char top[PATH_MAX];
	_cleanup_free_ char *outcome = NULL;
	const char *list[] = { top, NULL };
	struct child c;

	cgroup_make(t, top, "emptied");
	begin_cgroup(t, "emptied", top);
	task_prepare(t, &c, "a", list, "fail=3 exit=4");
	child_go(&c);
	equal_int(t, "status", task_finish(t, &c), 4 << 8);
	must_end(t, "emptied", 3);
	outcome = sql_text(&shared,
			   "SELECT outcome || ' ' || exit_code FROM task WHERE name = 'emptied'");
	equal_str(t, "outcome", outcome, "failed 4");
}

/* A cgroup that a template names, made before any process is in it: from its first call on. */
static void by_template(struct run *t)
{
	_cleanup_json_ struct json_object *reply = NULL;
	_cleanup_free_ char *labels = NULL, *words = NULL;
	char top[PATH_MAX], deeper[PATH_MAX];

	cgroup_make(t, top, "template/nightly/web/by-template");
	cgroup_make(t, deeper, "template/nightly/web/by-template/deeper");
	if (asprintf(&words, "tried=/nowhere/outside into=%s fail=3", deeper) < 0)
		abort();
	act_in(t, "a", NULL, words);
	act_in(t, "b", top, "fail=20");
	reply = ask(&shared, "end", "campaign", json_object_new_string("nightly"), "task",
		    json_object_new_string("by-template"), NULL);
	said_ok(t, "end", reply);
	equal_int(t, "counts", tally(&shared, "by-template", OPENS), 23);
	labels = sql_text(&shared,
			  "SELECT group_concat(l.name || '=' || value) FROM label l JOIN task ON "
			  "task.id = l.task WHERE task.name = 'by-template'");
	equal_str(t, "labels", labels, "app=web");
	cgroup_remove(deeper); /* else it is the next attempt's after a restart */
	cgroup_remove(top);
}

/* What lies below a tracked root and matches no template is counted apart. */
static bool is_unattributed(void *arg)
{
	return tally(&shared, "unattributed", OPENS) >= 27;
}

static void unattributed(struct run *t)
{
	char top[PATH_MAX];

	cgroup_make(t, top, "template/stray");
	act_in(t, "a", top, "fail=27");
	wait_until(is_unattributed, NULL);
	equal_int(t, "unattributed", tally(&shared, "unattributed", OPENS), 27);
}

/* A child that is born in the cgroup fails with its first call. */
static void born_inside(struct run *t)
{
	static const struct want want = { "workload/exit/missing-file",
					  "/nowhere/first",
					  "failed",
					  1,
					  NULL,
					  "openat",
					  "ENOENT",
					  1 };
	_cleanup_json_ struct json_object *task = NULL;
	_cleanup_free_ char *words = NULL;
	char top[PATH_MAX];
	struct child c;

	cgroup_make(t, top, "born-inside");
	begin_cgroup(t, "born-inside", top);
	if (asprintf(&words, "tried=/nowhere/outside into=%s open=/nowhere/first", top) < 0)
		abort();
	task_prepare(t, &c, "a", NULL, words);
	child_go(&c);
	task_finish(t, &c);
	task = end_task(t, &shared, "born-inside");
	if (over(t))
		return;
	judge(t, task, &want);
	equal_int(t, "counts", tally(&shared, "born-inside", OPENS), 1);
}

/* What it does in each is each one's. */
static void moved(struct run *t)
{
	char one[PATH_MAX], two[PATH_MAX], pid[16];
	const char *const list[] = { one, NULL };
	struct child c;

	cgroup_make(t, one, "moved-from");
	cgroup_make(t, two, "moved-to");
	begin_cgroup(t, "moved-from", one);
	begin_cgroup(t, "moved-to", two);
	task_prepare(t, &c, "a", list, "fail=30 hold fail=40");
	child_go(&c);
	task_hold(t, &c);
	snprintf(pid, sizeof(pid), "%d", c.pid);
	check(t, cgroup_put(two, "cgroup.procs", pid), "%s: %s", two, strerror(errno));
	child_go(&c);
	equal_int(t, "status", task_finish(t, &c), 0);
	end_counts(t, "moved-from", 30);
	end_counts(t, "moved-to", 40);
}

static void side_by_side(struct run *t)
{
	static const char *const names[] = { "side-one", "side-two" };
	static const char *const words[] = { "each=2 fail=1000:50", "each=2 fail=1500:2000" };
	struct child c[2];

	for (int i = 0; i < 2; i++) {
		task_prepare(t, &c[i], names[i], NULL, words[i]);
		json_object_put(task_begin(t, names[i], "pid", json_object_new_int(c[i].pid)));
	}
	for (int i = 0; i < 2; i++)
		child_go(&c[i]);
	for (int i = 0; i < 2; i++)
		equal_int(t, names[i], task_finish(t, &c[i]), 0);
	end_counts(t, names[0], 2000);
	end_counts(t, names[1], 3000);
}

/* The process and its descendants where they are, beside others in the same cgroup. */
static void by_process(struct run *t)
{
	_cleanup_json_ struct json_object *reply = NULL;
	_cleanup_free_ char *before = NULL, *after = NULL;
	char path[PATH_MAX];
	struct child c, other;

	task_prepare(t, &c, "a", NULL, "fork fail=8");
	task_prepare(t, &other, "b", NULL, "fail=100");
	path_set(path, "/proc/%d/cgroup", c.pid);
	before = read_all(path);
	reply = ask(&shared, "begin", "campaign", json_object_new_string(CAMPAIGN), "task",
		    json_object_new_string("by-process"), "pid", json_object_new_int(c.pid),
		    "scope", json_object_new_string("process"), NULL);
	said_ok(t, "begin", reply);
	after = read_all(path);
	equal_str(t, "its cgroup", after, before);
	child_go(&c);
	child_go(&other);
	equal_int(t, "status", task_finish(t, &c), 0);
	equal_int(t, "status", task_finish(t, &other), 0);
	end_counts(t, "by-process", 8);
}

/* A pid: it is moved to a leaf of its own, which goes with the verdict. */
static bool is_gone(void *arg)
{
	return access(arg, F_OK) < 0;
}

static void by_pid(struct run *t)
{
	_cleanup_json_ struct json_object *reply = NULL;
	_cleanup_free_ char *where = NULL, *line = NULL;
	char path[PATH_MAX];
	struct child c;

	task_prepare(t, &c, "a", NULL, "fail=9");
	reply = task_begin(t, "by-pid", "pid", json_object_new_int(c.pid));
	path_set(path, "/proc/%d/cgroup", c.pid);
	where = read_all(path);
	if (asprintf(&line, "0::%s\n", field_at(reply, "cgroup")) < 0)
		abort();
	check(t, strstr(where, line), "expected %s in %s", line, where);
	child_go(&c);
	equal_int(t, "status", task_finish(t, &c), 0);
	end_counts(t, "by-pid", 9);
	path_set(path, "%s%s", cgroup2, field_at(reply, "cgroup"));
	check(t, wait_until(is_gone, path), "%s stays", path);
}

static void refusals(struct run *t)
{
	_cleanup_json_ struct json_object *busy = NULL, *exists = NULL, *nobody = NULL;
	char top[PATH_MAX];

	cgroup_make(t, top, "refusals");
	begin_cgroup(t, "refusals", top);
	busy = ask(&shared, "begin", "campaign", json_object_new_string(CAMPAIGN), "task",
		   json_object_new_string("refusals-2"), "cgroup",
		   json_object_new_string(cgroup_name(top)), NULL);
	equal_str(t, "an occupied cgroup", field_at(busy, "error"), "busy");
	exists = ask(&shared, "begin", "campaign", json_object_new_string(CAMPAIGN), "task",
		     json_object_new_string("refusals"), "cgroup",
		     json_object_new_string(cgroup_name(top)), NULL);
	equal_str(t, "an open task", field_at(exists, "error"), "exists");
	nobody = ask(&shared, "end", "campaign", json_object_new_string(CAMPAIGN), "task",
		     json_object_new_string("nobody"), NULL);
	equal_str(t, "no task", field_at(nobody, "error"), "no-such-task");
	end_counts(t, "refusals", 0);
}

const struct test cgroup_tests[] = {
	{ "cgroup-nested", .run = nested },
	{ "cgroup-removed", .run = removed },
	{ "cgroup-removed-running", .run = removed_running },
	{ "cgroup-emptied", .run = emptied },
	{ "cgroup-by-template", .run = by_template },
	{ "cgroup-unattributed", .run = unattributed },
	{ "cgroup-born-inside", .run = born_inside },
	{ "cgroup-moved", .run = moved },
	{ "task-by-pid", .run = by_pid },
	{ "task-by-process", .run = by_process },
	{ "task-refusals", .run = refusals },
	{ "two-tasks", .run = side_by_side },
	{ 0 },
};

/* ---- counts ---- */

static void storm(struct run *t, const char *task, bool flips)
{
	struct child c;
	int n = 0;

	task_prepare(t, &c, task, NULL, "each=4 fail=5000:200");
	json_object_put(task_begin(t, task, "pid", json_object_new_int(c.pid)));
	child_go(&c);
	for (; flips && !over(t) && !child_ended(&c); n++)
		flush(t, &shared);
	equal_int(t, "status", task_finish(t, &c), 0);
	end_counts(t, task, 20000);
	if (flips)
		check(t, n > 1, "the maps were flipped %d times only", n);
}

static void count_storm(struct run *t)
{
	storm(t, "count-storm", false);
}

/* The maps are swapped while the calls fail. */
static void count_flips(struct run *t)
{
	storm(t, "count-flips", true);
}

const struct test count_tests[] = {
	{ "count-storm", .run = count_storm },
	{ "count-flips", .run = count_flips },
	{ 0 },
};
