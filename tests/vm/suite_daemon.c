/* SPDX-License-Identifier: GPL-2.0-only */
/* Daemons, their sockets and databases, and the command line. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../../daemon/client.h"
#include "suite.h"

struct daemon shared;

static void daemon_exec(const struct daemon *d, int ready)
{
	int log = open(d->log, O_WRONLY | O_CREAT | O_APPEND, 0644);
	int null = open("/dev/null", O_RDONLY);
	char number[16], template[PATH_MAX];

	snprintf(number, sizeof(number), "%d", ready);
	path_set(template, "/%s/template/{campaign}/{label.app}/{task}", cgroup_top);
	if (log < 0 || null < 0 || dup2(null, 0) < 0 || dup2(log, 1) < 0 || dup2(log, 2) < 0 ||
	    fcntl(ready, F_SETFD, 0) < 0)
		_exit(98);
	execlp("sandfaultd", "sandfaultd", "--config", "/dev/null", "--db", d->db, "--socket",
	       d->socket, "--group", "-", "--ready-fd", number,
	       d->off ? "--no-sensor" : "--template", d->off ? d->off : template, (char *)NULL);
	_exit(127);
}

int daemon_start(struct daemon *d, const char *dir)
{
	struct pollfd p = { .events = POLLIN };
	char word[8] = "", place[PATH_MAX];
	int ready[2], r;

	path_set(place, "%s", dir); /* may be d's own */
	path_set(d->dir, "%s", place);
	path_set(d->db, "%s/sandfault.db", place);
	path_set(d->socket, "%s/control.sock", place);
	path_set(d->log, "%s/log", place);
	if (mkdir(place, 0755) < 0 && errno != EEXIST)
		return -errno;
	if (pipe2(ready, O_CLOEXEC) < 0)
		return -errno;
	d->pid = fork_alone();
	if (d->pid == 0)
		daemon_exec(d, ready[1]);
	close(ready[1]);
	p.fd = ready[0];
	r = poll(&p, 1, 2 * DEADLINE * 1000);
	r = r > 0 && read(ready[0], word, sizeof(word)) == 6 && memcmp(word, "ready\n", 6) == 0;
	close(ready[0]);
	if (r)
		return 0;
	daemon_stop(d, SIGKILL);
	return -ECHILD;
}

int daemon_stop(struct daemon *d, int sig)
{
	struct child c = { .pid = d->pid, .go = -1 };

	if (d->pid <= 0)
		return -ECHILD;
	kill(d->pid, sig);
	d->pid = 0;
	return child_wait(&c);
}

static struct json_object *ask_list(const struct daemon *d, const char *op, va_list ap)
{
	_cleanup_json_ struct json_object *request = json_object_new_object();
	struct json_object *reply = NULL;
	struct client *c;
	const char *key;

	json_object_object_add(request, "op", json_object_new_string(op));
	while ((key = va_arg(ap, const char *)))
		json_object_object_add(request, key, va_arg(ap, struct json_object *));
	if (client_connect(&c, d->socket) < 0)
		return NULL;
	if (client_call(c, request, &reply) < 0)
		reply = NULL;
	client_close(c);
	return reply;
}

struct json_object *ask(const struct daemon *d, const char *op, ...)
{
	struct json_object *reply;
	va_list ap;

	va_start(ap, op);
	reply = ask_list(d, op, ap);
	va_end(ap);
	return reply;
}

bool said_ok(struct run *t, const char *what, struct json_object *reply)
{
	struct json_object *ok;
	bool good =
		reply && json_object_object_get_ex(reply, "ok", &ok) && json_object_get_boolean(ok);

	return check(t, good, "%s: %s", what,
		     reply ? json_object_to_json_string(reply) : "no answer");
}

void sensors_read(struct daemon *d)
{
	struct json_object *reply = ask(d, "status", NULL), *list;

	if (!reply || !json_object_object_get_ex(reply, "sensors", &list))
		return;
	d->sensors = list;
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *s = json_object_array_get_idx(list, i);
		const char *state = field_at(s, "state"), *reason = field_at(s, "reason");

		info(d->off ? d->off : "sensor", "%s %s%s%s", field_at(s, "name"), state,
		     *reason ? ": " : "", reason);
	}
}

static struct json_object *sensor_find(const struct daemon *d, const char *name)
{
	for (size_t i = 0; d->sensors && i < json_object_array_length(d->sensors); i++) {
		struct json_object *s = json_object_array_get_idx(d->sensors, i);

		if (strcmp(field_at(s, "name"), name) == 0)
			return s;
	}
	return NULL;
}

const char *sensor_state(const struct daemon *d, const char *name)
{
	struct json_object *s = sensor_find(d, name);

	return s ? field_at(s, "state") : "unknown";
}

const char *sensor_reason(const struct daemon *d, const char *name)
{
	return field_at(sensor_find(d, name), "reason");
}

bool sensor_active(const struct daemon *d, const char *name)
{
	return strcmp(sensor_state(d, name), "active") == 0;
}

/* ---- daemons that do without something ---- */

static struct {
	pthread_mutex_t lock;
	struct daemon daemon;
	bool failed;
} lean[] = { { PTHREAD_MUTEX_INITIALIZER, { 0 }, false },
	     { PTHREAD_MUTEX_INITIALIZER, { 0 }, false } };
static pthread_mutex_t lean_lock = PTHREAD_MUTEX_INITIALIZER;

/* The place of those sensors, a new one if need be. */
static size_t lean_index(const char *off)
{
	size_t i = 0;

	pthread_mutex_lock(&lean_lock);
	while (i < ARRAY_SIZE(lean) && lean[i].daemon.off && strcmp(lean[i].daemon.off, off) != 0)
		i++;
	if (i == ARRAY_SIZE(lean))
		abort();
	lean[i].daemon.off = off;
	pthread_mutex_unlock(&lean_lock);
	return i;
}

const struct daemon *daemon_without(struct run *t, const char *off)
{
	size_t i = lean_index(off);
	struct daemon *d = &lean[i].daemon;
	char dir[PATH_MAX];

	path_set(dir, "%s/lean-%zu", work_dir, i);
	pthread_mutex_lock(&lean[i].lock);
	if (!d->pid && !lean[i].failed) {
		lean[i].failed = daemon_start(d, dir) < 0;
		if (!lean[i].failed)
			sensors_read(d);
	}
	pthread_mutex_unlock(&lean[i].lock);
	if (!lean[i].failed)
		return d;
	_cleanup_free_ char *log = read_all(d->log);

	check(t, false, "sandfaultd --no-sensor %s does not start: %.500s", off, log);
	return NULL;
}

void daemons_without_stop(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(lean); i++)
		daemon_stop(&lean[i].daemon, SIGTERM);
}

/* One row's first column, by `take`; false: no row. */
static bool sql_row(const struct daemon *d, const char *sql,
		    void (*take)(sqlite3_stmt *row, void *ret), void *ret)
{
	sqlite3_stmt *st = NULL;
	sqlite3 *db = NULL;
	bool found = false;

	if (sqlite3_open_v2(d->db, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
	    sqlite3_busy_timeout(db, DEADLINE * 1000) == SQLITE_OK &&
	    sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK &&
	    sqlite3_step(st) == SQLITE_ROW) {
		found = true;
		take(st, ret);
	}
	sqlite3_finalize(st);
	sqlite3_close(db);
	return found;
}

static void take_number(sqlite3_stmt *row, void *ret)
{
	*(int64_t *)ret = sqlite3_column_int64(row, 0);
}

static void take_text(sqlite3_stmt *row, void *ret)
{
	const char *text = (const char *)sqlite3_column_text(row, 0);

	*(char **)ret = text ? strdup(text) : NULL;
}

int64_t sql_number(const struct daemon *d, const char *fmt, ...)
{
	int64_t ret = -1;
	va_list ap;
	char *sql;

	va_start(ap, fmt);
	sql = sqlite3_vmprintf(fmt, ap);
	va_end(ap);
	sql_row(d, sql, take_number, &ret);
	sqlite3_free(sql);
	return ret;
}

char *sql_text(const struct daemon *d, const char *fmt, ...)
{
	char *ret = NULL, *sql;
	va_list ap;

	va_start(ap, fmt);
	sql = sqlite3_vmprintf(fmt, ap);
	va_end(ap);
	sql_row(d, sql, take_text, &ret);
	sqlite3_free(sql);
	return ret;
}

void command(struct run *t, struct said *ret, const char *words)
{
	_cleanup_free_ char *line = expand(t, words);
	_cleanup_split_ char **argv = split(line);
	char path[PATH_MAX];
	struct child c;
	int status;

	child_start(t, &c, "command", NULL, argv);
	child_go(&c);
	status = child_wait(&c);
	ret->status = status < 0	    ? status
		      : WIFSIGNALED(status) ? 128 + WTERMSIG(status)
					    : WEXITSTATUS(status);
	path_set(path, "%s/command.out", t->dir);
	ret->out = read_all(path);
	path_set(path, "%s/command.err", t->dir);
	ret->err = read_all(path);
}

void said_free(struct said *s)
{
	free(s->out);
	free(s->err);
}
