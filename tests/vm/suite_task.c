/* SPDX-License-Identifier: GPL-2.0-only */
/* Tasks: one failure each, by the actor, and what the daemon must say of it. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "suite.h"

#define SKIP_STATUS 77 /* the actor could not set its scene up */

static struct json_object *at(struct json_object *o, const char *path)
{
	char key[64];

	while (o && *path) {
		size_t len = strcspn(path, ".");

		snprintf(key, sizeof(key), "%.*s", (int)len, path);
		if (!json_object_object_get_ex(o, key, &o))
			return NULL;
		path += len + (path[len] == '.');
	}
	return o;
}

const char *field_at(struct json_object *o, const char *path)
{
	const char *s = json_object_get_string(at(o, path));

	return s ? s : "";
}

int64_t number_at(struct json_object *o, const char *path)
{
	struct json_object *v = at(o, path);

	return v ? json_object_get_int64(v) : -1;
}

void verdict_of(struct json_object *task, char *buf, size_t size)
{
	if (!at(task, "verdict"))
		snprintf(buf, size, "none");
	else
		snprintf(buf, size, "%s/%s/%s", field_at(task, "verdict.level"),
			 field_at(task, "verdict.primitive"), field_at(task, "verdict.cause"));
}

/* The failure that the verdict names. */
static struct json_object *decisive(struct json_object *task)
{
	struct json_object *list = at(task, "failures");

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *f = json_object_array_get_idx(list, i);

		if (strcmp(field_at(f, "id"), field_at(task, "verdict.failure")) == 0)
			return f;
	}
	return NULL;
}

static void judge_subject(struct run *t, const char *got, const char *subject)
{
	_cleanup_free_ char *want = expand(t, subject);

	if (*want == '~')
		check(t, strstr(got, want + 1), "subject: expected %s in it, got %s", want + 1,
		      got);
	else
		equal_str(t, "subject", got, want);
}

static void judge_failure(struct run *t, struct json_object *f, const struct want *want)
{
	if (want->syscall)
		equal_str(t, "syscall", field_at(f, "syscall"), want->syscall);
	if (want->error)
		equal_str(t, "errno", field_at(f, "errno"), want->error);
	if (want->count)
		equal_int(t, "count", number_at(f, "count"), want->count);
}

static void explain(struct run *t, struct json_object *task)
{
	struct json_object *list = at(task, "failures");

	detail(t, "verdict: %s", json_object_to_json_string(at(task, "verdict")));
	for (size_t i = 0; list && i < json_object_array_length(list) && i < 4; i++)
		detail(t, "failure: %s",
		       json_object_to_json_string(json_object_array_get_idx(list, i)));
	detail(t, "handled %s, noise %s", field_at(task, "handled"), field_at(task, "noise"));
}

void judge(struct run *t, struct json_object *task, const struct want *want)
{
	bool was_fine = !*t->why;
	char got[256];

	if (!task)
		return;
	verdict_of(task, got, sizeof(got));
	equal_str(t, "verdict", got, want->verdict ? want->verdict : "none");
	equal_str(t, "outcome", field_at(task, "outcome"), want->outcome);
	equal_str(t, "state", field_at(task, "state"), "final");
	equal_int(t, "lost", number_at(task, "lost"), 0);
	if (strcmp(want->outcome, "killed") != 0)
		equal_int(t, "exit code", number_at(task, "exit_code"), want->exit);
	equal_str(t, "signal", field_at(task, "signal"), want->signal ? want->signal : "");
	if (want->subject)
		judge_subject(t, field_at(task, "verdict.subject"), want->subject);
	judge_failure(t, decisive(task), want);
	if (was_fine && *t->why)
		explain(t, task);
}

struct json_object *end_task(struct run *t, const struct daemon *d, const char *task)
{
	_cleanup_json_ struct json_object *reply =
		ask(d, "end", "campaign", json_object_new_string(CAMPAIGN), "task",
		    json_object_new_string(task), NULL);
	struct json_object *json = NULL;

	if (said_ok(t, "end", reply))
		json = json_object_get(at(reply, "task"));
	return json;
}

static void show_stderr(struct run *t, const char *name)
{
	char path[PATH_MAX];
	_cleanup_free_ char *text = NULL;

	path_set(path, "%s/%s.err", t->dir, name);
	text = read_all(path);
	text[strcspn(text, "\n")] = '\0';
	if (*text)
		detail(t, "stderr: %.300s", text);
}

/* Where the actor could not set its scene up, its last words are the reason. */
static void skip_unset(struct run *t, const char *name)
{
	char path[PATH_MAX];
	_cleanup_free_ char *text = NULL;

	path_set(path, "%s/%s.err", t->dir, name);
	text = read_all(path);
	text[strcspn(text, "\n")] = '\0';
	skip(t, "can't be set up here: %.150s", text);
}

/* What `actor hold` says; false: it ended before. */
static bool is_held(struct run *t, struct child *c)
{
	_cleanup_close_ int fd = (int)syscall(SYS_pidfd_open, c->pid, 0);
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char path[PATH_MAX];

	path_set(path, "%s/%s.out", t->dir, c->name);
	for (int64_t end = util_now_boottime() + DEADLINE * NSEC_PER_SEC;
	     util_now_boottime() < end;) {
		_cleanup_free_ char *text = read_all(path);

		if (strstr(text, "held"))
			return true;
		if (poll(&p, 1, 10) == 1)
			return false;
	}
	return check(t, false, "%s neither held nor ended", c->name);
}

void flush(struct run *t, const struct daemon *d)
{
	_cleanup_json_ struct json_object *reply = ask(d, "flush", NULL);

	said_ok(t, "flush", reply);
}

bool task_hold(struct run *t, struct child *c)
{
	if (!is_held(t, c))
		return false;
	/* The first takes the counts over; with the second what it made to be asked is answered. */
	flush(t, t->daemon);
	flush(t, t->daemon);
	return true;
}

void task_prepare(struct run *t, struct child *c, const char *name, const char *const *cgroups,
		  const char *words)
{
	_cleanup_free_ char *line = NULL, *text = NULL;
	_cleanup_split_ char **argv = NULL;

	if (asprintf(&line, "%%A %s", words) < 0)
		abort();
	text = expand(t, line);
	argv = split(text);
	child_start(t, c, name, cgroups, argv);
}

struct json_object *task_begin(struct run *t, const char *task, const char *key,
			       struct json_object *value)
{
	struct json_object *reply =
		ask(t->daemon, "begin", "campaign", json_object_new_string(CAMPAIGN), "task",
		    json_object_new_string(task), key, value, NULL);

	said_ok(t, "begin", reply);
	return reply;
}

void begin_cgroup(struct run *t, const char *task, const char *directory)
{
	json_object_put(
		task_begin(t, task, "cgroup", json_object_new_string(cgroup_name(directory))));
}

int task_finish(struct run *t, struct child *c)
{
	int status = child_wait(c);

	if (status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == SKIP_STATUS)
		skip_unset(t, c->name);
	if (status == -ETIMEDOUT)
		check(t, false, "%s did not end", c->name);
	return status;
}

struct json_object *act(struct run *t, const char *task, const char *words)
{
	struct child c;

	task_prepare(t, &c, task, NULL, words);
	json_object_put(task_begin(t, task, "pid", json_object_new_int(c.pid)));
	if (*t->why)
		kill(c.pid, SIGKILL);
	child_go(&c);
	if (strstr(words, "hold") && task_hold(t, &c))
		child_go(&c);
	task_finish(t, &c);
	return end_task(t, t->daemon, task);
}

int64_t tally(const struct daemon *d, const char *task, const char *where)
{
	return sql_number(d,
			  "SELECT coalesce(sum(count), 0) FROM tally JOIN task ON "
			  "task.id = tally.task WHERE task.name = '%s' AND %s",
			  task, where);
}

void end_counts(struct run *t, const char *task, int64_t opens)
{
	_cleanup_json_ struct json_object *json = end_task(t, &shared, task);

	if (!json)
		return;
	equal_int(t, task, tally(&shared, task, OPENS), opens);
	equal_int(t, "lost", number_at(json, "lost"), 0);
	equal_str(t, "state", field_at(json, "state"), "final");
}

static bool works_by(const struct daemon *d, const char *sensor, const char *way)
{
	const char *reason = sensor_reason(d, sensor);

	/* there may be more behind it: "by fexit, without security_…" */
	return strcspn(reason, ",") == strlen(way) && memcmp(reason, way, strlen(way)) == 0;
}

void must_say(struct run *t, struct json_object *task, const char *says)
{
	const char *text = json_object_to_json_string_ext(task, JSON_C_TO_STRING_NOSLASHESCAPE);
	_cleanup_free_ char *want = expand(t, says);

	check(t, strstr(text, want), "expected \"%s\" in %.3000s", want, text);
}

void run_words(struct run *t)
{
	const struct test *test = t->test;
	const struct want *want = &test->want;
	_cleanup_json_ struct json_object *task = NULL;
	const char *reason = test->sensor ? sensor_reason(t->daemon, test->sensor) : "";
	bool active = !test->sensor || sensor_active(t->daemon, test->sensor);

	if (!active)
		want = &test->without;
	if (!want->outcome) {
		skip(t, "the sensor %s is %s (%s)", test->sensor,
		     sensor_state(t->daemon, test->sensor), reason);
		return;
	}
	if (test->way && !works_by(t->daemon, test->sensor, test->way)) {
		skip(t, "the sensor %s is %s, but not %s: %s", test->sensor,
		     sensor_state(t->daemon, test->sensor), test->way,
		     *reason ? reason : "a tracepoint serves it");
		return;
	}
	task = act(t, test->name, test->words);
	if (over(t))
		return;
	judge(t, task, want);
	if (active && test->says)
		must_say(t, task, test->says);
	if (test->after && task)
		test->after(t, task);
	if (*t->why)
		show_stderr(t, test->name);
}
