/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "../daemon/counters.h"
#include "../daemon/json.h"
#include "../daemon/since.h"
#include "cli.h"
#include "request.h"

#define OPEN_SHOWN 20

/* One picture, whether it comes from the daemon or from the database. */
struct picture {
	const struct cli *cli;
	struct json_object *reply; /* the daemon's, NULL: it does not run */
	struct query *q;	   /* NULL: no database */
	int db_error;
	int64_t bytes; /* of the database with its log */
	struct daemon_info daemon;
	struct task_counts counts;
	struct json_object *open;     /* array of task identities */
	struct json_object *counters; /* name -> value */
	struct json_object *sensors;  /* array */
};

static void picture_clear(struct picture *p)
{
	json_object_put(p->reply);
	json_object_put(p->open);
	json_object_put(p->counters);
	json_object_put(p->sensors);
	query_closep(&p->q);
}

static int64_t database_bytes(const char *path)
{
	static const char *const endings[] = { "", "-wal", "-shm" };
	int64_t sum = 0;

	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		_cleanup_free_ char *name = NULL;
		struct stat st;

		if (asprintf(&name, "%s%s", path, endings[i]) < 0)
			return sum;
		if (stat(name, &st) == 0)
			sum += st.st_size;
	}
	return sum;
}

static int add_open(const struct task_record *t, void *arg)
{
	struct json_object *o = json_object_new_object();

	if (!o)
		return -ENOMEM;
	json_add_bytes(o, "campaign", t->campaign, strlen(t->campaign));
	json_add_bytes(o, "task", t->task, strlen(t->task));
	json_object_object_add(o, "attempt", json_object_new_int(t->attempt));
	json_object_object_add(o, "state", json_object_new_string(task_state_name(t->state)));
	json_add_time(o, "started", t->started_ns);
	return json_object_array_add(arg, o) < 0 ? -ENOMEM : 0;
}

static int add_counter(const char *name, int64_t value, int64_t updated_ns, void *arg)
{
	struct json_object *v = json_object_new_int64(value);

	return v && json_object_object_add(arg, name, v) == 0 ? 0 : -ENOMEM;
}

static int add_sensor(const struct sensor_record *s, void *arg)
{
	struct json_object *o = json_sensor(s);

	return o && json_object_array_add(arg, o) == 0 ? 0 : -ENOMEM;
}

static int read_database(struct picture *p)
{
	static const enum task_state states[] = { STATE_RUNNING, STATE_SETTLING };
	const struct query_filter all = { .all_attempts = true };
	int r = query_counts(p->q, &all, &p->counts);

	if (r == 0)
		r = query_daemon(p->q, &p->daemon);
	if (r == -ENOENT)
		r = 0;
	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(states); i++) {
		const struct query_filter open = { .all_attempts = true,
						   .state = task_state_name(states[i]) };

		r = query_tasks(p->q, &open, false, add_open, p->open);
	}
	if (r == 0)
		r = query_counters(p->q, add_counter, p->counters);
	return r == 0 ? query_sensors(p->q, add_sensor, p->sensors) : r;
}

/* The daemon's own numbers are younger than what it has stored. */
static void prefer_reply(struct json_object *reply, const char *key, struct json_object **mine)
{
	struct json_object *theirs = field(reply, key);

	if (!theirs || json_object_get_type(theirs) != json_object_get_type(*mine))
		return;
	json_object_put(*mine);
	*mine = json_object_get(theirs);
}

static int take_picture(struct picture *p)
{
	_cleanup_client_ struct client *client = NULL;
	int r = 0;

	p->open = json_object_new_array();
	p->counters = json_object_new_object();
	p->sensors = json_object_new_array();
	if (!p->open || !p->counters || !p->sensors)
		return -ENOMEM;
	if (cli_connect(p->cli, &client) == 0)
		cli_call(client, "status", request_op("status"), &p->reply);
	p->db_error = query_open(&p->q, p->cli->db);
	if (p->db_error == 0) {
		p->bytes = database_bytes(p->cli->db);
		r = read_database(p);
	}
	if (p->reply && json_object_get_boolean(field(p->reply, "ok"))) {
		prefer_reply(p->reply, "counters", &p->counters);
		prefer_reply(p->reply, "sensors", &p->sensors);
	}
	return r;
}

static struct json_object *daemon_json(const struct picture *p)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "running", json_object_new_boolean(p->reply != NULL));
	json_object_object_add(o, "pid",
			       p->daemon.pid ? json_object_new_int64(p->daemon.pid) : NULL);
	json_add_bytes(o, "version", p->daemon.version, strlen(p->daemon.version));
	json_add_time(o, "started", p->daemon.started_ns);
	json_add_time(o, "heartbeat", p->daemon.heartbeat_ns);
	json_add_time(o, "stopped", p->daemon.stopped_ns);
	return o;
}

static void status_json(struct picture *p)
{
	struct json_object *o = json_object_new_object(), *db = json_object_new_object();

	json_object_object_add(o, "schema", json_object_new_int(JSON_SCHEMA));
	json_object_object_add(o, "daemon", daemon_json(p));
	json_add_bytes(db, "path", p->cli->db, strlen(p->cli->db));
	json_object_object_add(db, "bytes", json_object_new_int64(p->bytes));
	json_add_bytes(db, "error", p->db_error ? strerror(-p->db_error) : NULL,
		       p->db_error ? strlen(strerror(-p->db_error)) : 0);
	json_object_object_add(o, "database", db);
	json_object_object_add(o, "tasks", cli_counts_json(&p->counts));
	json_object_object_add(o, "open", TAKE_PTR(p->open));
	json_object_object_add(o, "counters", TAKE_PTR(p->counters));
	json_object_object_add(o, "sensors", TAKE_PTR(p->sensors));
	cli_print_json(o);
}

static void print_daemon(const struct render *r, const struct picture *p)
{
	const struct daemon_info *d = &p->daemon;
	int64_t last = d->stopped_ns > d->heartbeat_ns ? d->stopped_ns : d->heartbeat_ns;
	char when[40];

	if (p->reply) {
		since_format(d->started_ns, r->utc, when, sizeof(when));
		render_line(r, STYLE_GOOD, "%-10s running, pid %lld, version %s, since %s",
			    "daemon", (long long)d->pid, *d->version ? d->version : "unknown",
			    when);
		return;
	}
	since_format(last, r->utc, when, sizeof(when));
	render_line(r, STYLE_WARN, "%-10s not running%s%s%s", "daemon", last ? "; as of " : "",
		    last ? when : "", last && !d->stopped_ns ? ", killed or crashed" : "");
}

static void print_database(const struct render *r, const struct picture *p)
{
	if (p->db_error)
		render_line(r, p->db_error == -ENOENT ? STYLE_NONE : STYLE_BAD, "%-10s %s: %s",
			    "database", p->cli->db,
			    p->db_error == -ENOENT ? "none yet" : strerror(-p->db_error));
	else
		render_line(r, STYLE_NONE, "%-10s %s, %.1f MiB", "database", p->cli->db,
			    (double)p->bytes / (1024 * 1024));
}

static void print_sensors(const struct render *r, const struct picture *p)
{
	size_t n = json_object_array_length(p->sensors), active = 0;

	for (size_t i = 0; i < n; i++)
		active += strcmp(field_str(json_object_array_get_idx(p->sensors, i), "state"),
				 "active") == 0;
	if (n)
		render_line(r, active == n ? STYLE_NONE : STYLE_WARN,
			    "%-10s %zu of %zu active; `sandfault doctor` names them", "sensors",
			    active, n);
}

static void print_open(const struct render *r, const struct picture *p)
{
	size_t n = json_object_array_length(p->open);

	render_line(r, STYLE_NONE, "%-10s %zu", "open", n);
	for (size_t i = 0; i < n && i < OPEN_SHOWN; i++) {
		struct json_object *o = json_object_array_get_idx(p->open, i);
		_cleanup_free_ char *name = task_text_name(o);
		char when[40];

		time_text(r, o, "started", when, sizeof(when));
		render_line(r, STYLE_NONE, "%-10s %s  %s/%s  %s", "", when,
			    field_str(o, "campaign"), name, field_str(o, "state"));
	}
	if (n > OPEN_SHOWN)
		render_line(r, STYLE_DIM, "%-10s %zu more; `sandfault task list --state running`",
			    "", n - OPEN_SHOWN);
}

/* One kind of counters, but for those that are zero. */
static size_t add_counters(const struct picture *p, struct table *t, bool losses)
{
	size_t rows = 0;

	json_object_object_foreach (p->counters, name, value) {
		const struct counter *c = counters_find(name);
		int64_t n = json_object_get_int64(value);

		if (!n || (c && c->loss) != losses)
			continue;
		if (table_cell(t, losses ? STYLE_WARN : STYLE_NONE, "%lld", (long long)n) < 0 ||
		    table_cell(t, STYLE_NONE, "%s", name) < 0 ||
		    table_cell(t, STYLE_DIM, "%s", c ? c->meaning : "") < 0)
			break;
		rows++;
	}
	return rows;
}

static void print_counters(const struct render *r, const struct picture *p, bool losses)
{
	static const struct column_spec columns[] = {
		{ "COUNT", COLUMN_RIGHT },
		{ "COUNTER", COLUMN_LEFT },
		{ "MEANING", COLUMN_FLEX },
	};
	_cleanup_table_ struct table *table = NULL;

	if (json_object_object_length(p->counters) == 0 ||
	    table_new(&table, columns, ARRAY_SIZE(columns)) < 0)
		return;
	if (add_counters(p, table, losses))
		table_print(table, r);
	else
		render_line(r, STYLE_GOOD, "nothing");
}

int cmd_status(struct cli *c)
{
	_cleanup_(picture_clear) struct picture p = { .cli = c };
	const struct task_counts *n = &p.counts;
	struct render r;
	int err = take_picture(&p);

	if (err < 0)
		return cli_query_failed(err);
	if (!p.reply && p.db_error == 0)
		cli_say_as_of(c, p.q);
	if (c->json) {
		status_json(&p);
		return EXIT_DONE;
	}
	render_init(&r, stdout, c->utc);
	print_daemon(&r, &p);
	render_line(&r, STYLE_NONE, "%-10s %s", "socket", c->socket);
	print_database(&r, &p);
	print_sensors(&r, &p);
	render_line(&r, STYLE_NONE, "%-10s %lld: %lld ok, %lld failed, %lld killed, %lld unknown",
		    "tasks", (long long)n->tasks, (long long)n->ok, (long long)n->failed,
		    (long long)n->killed, (long long)n->unknown);
	print_open(&r, &p);
	render_line(&r, STYLE_NONE, "%s", "");
	render_line(&r, STYLE_BOLD, "counted since the daemon started");
	print_counters(&r, &p, false);
	render_line(&r, STYLE_NONE, "%s", "");
	render_line(&r, STYLE_BOLD, "lost, refused or given up");
	print_counters(&r, &p, true);
	return EXIT_DONE;
}
