/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "../daemon/json.h"
#include "../daemon/options.h"
#include "../daemon/since.h"
#include "cli.h"
#include "launch.h"

static void say_text(const char *before, const char *fmt, va_list ap, const char *after)
{
	_cleanup_free_ char *raw = NULL, *s = NULL;
	int n = vasprintf(&raw, fmt, ap);

	if (n < 0) {
		raw = NULL;
		return;
	}
	s = util_escape(raw, (size_t)n);
	/* What was printed before comes before. */
	fflush(stdout);
	fprintf(stderr, "sandfault: %s%s%s\n", before, s ? s : "", after);
}

void say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say_text("", fmt, ap, "");
	va_end(ap);
}

int usage_error(const struct cli *c, const char *fmt, ...)
{
	char before[48], after[192];
	va_list ap;

	snprintf(before, sizeof(before), "%s: ", c->verb->name);
	snprintf(after, sizeof(after),
		 "; usage: sandfault %s [OPTION]…%s%s, see `sandfault help %s`", c->verb->name,
		 *c->verb->synopsis ? " " : "", c->verb->synopsis, c->verb->name);
	va_start(ap, fmt);
	say_text(before, fmt, ap, after);
	va_end(ap);
	return EXIT_USAGE;
}

/* The daemon that answers at `path`, where it is the one that writes the database at `db`. */
static int connect_writer(const char *path, const char *db, struct client **ret)
{
	_cleanup_client_ struct client *client = NULL;
	_cleanup_query_ struct query *q = NULL;
	struct daemon_info info;
	struct ucred peer;
	socklen_t len = sizeof(peer);
	int r = client_connect(&client, path);

	if (r < 0)
		return r;
	if (getsockopt(client_fd(client), SOL_SOCKET, SO_PEERCRED, &peer, &len) < 0)
		return -errno;
	if (query_open(&q, db) < 0 || query_daemon(q, &info) < 0 || info.pid != peer.pid)
		return -ENOENT;
	*ret = TAKE_PTR(client);
	return 0;
}

int cli_connect(const struct cli *c, struct client **ret)
{
	_cleanup_free_ char *private = NULL;
	int r, first = 0;

	if (c->socket_named)
		return client_connect(ret, c->socket);
	if (!c->db_named) {
		first = client_connect(ret, c->socket);
		if (first >= 0)
			return 0;
	}
	r = launch_socket(c->db, &private);
	if (r < 0)
		return r;
	r = client_connect(ret, private);
	if (r >= 0 || r == -EACCES)
		return r;
	return c->db_named ? connect_writer(c->socket, c->db, ret) : first;
}

int cli_need_daemon(const struct cli *c, struct client **ret)
{
	int r = cli_connect(c, ret);

	if (r == -EACCES || r == -EPERM)
		say("%s: not allowed: be root or a member of the group %s", c->socket,
		    DEFAULT_GROUP);
	else if (r < 0)
		say("no daemon answers at %s (%s); start it as root: sandfaultd%s%s", c->socket,
		    strerror(-r), c->socket_named ? " --socket " : "",
		    c->socket_named ? c->socket : "");
	return r;
}

void cli_say_as_of(const struct cli *c, struct query *q)
{
	struct daemon_info info = { 0 };
	struct stat st;
	int64_t ns = 0;
	char when[40];

	if (query_daemon(q, &info) == 0)
		ns = info.stopped_ns > info.heartbeat_ns ? info.stopped_ns : info.heartbeat_ns;
	if (ns == 0 && stat(c->db, &st) == 0)
		ns = st.st_mtim.tv_sec * NSEC_PER_SEC + st.st_mtim.tv_nsec;
	since_format(ns, c->utc, when, sizeof(when));
	say("as of %s, daemon not running", when);
}

int cli_open(const struct cli *c, struct query **ret)
{
	_cleanup_client_ struct client *client = NULL;
	int r = query_open(ret, c->db);

	switch (r) {
	case 0:
		break;
	case -ENOENT:
		say("%s: no database yet; the daemon or `sandfault run` makes it", c->db);
		return r;
	case -EACCES:
		say("%s: not allowed: be root or a member of the group %s", c->db, DEFAULT_GROUP);
		return r;
	case -EPROTO:
		say("%s: made by another version of sandfault; use its command line", c->db);
		return r;
	case -EUCLEAN:
		say("%s: no sandfault database, or a damaged one", c->db);
		return r;
	default:
		say("%s: %s", c->db, strerror(-r));
		return r;
	}
	/* A socket that we may not use belongs to a daemon all the same. */
	r = cli_connect(c, &client);
	if (r < 0 && r != -EACCES && r != -EPERM)
		cli_say_as_of(c, *ret);
	return 0;
}

int cli_call(struct client *client, const char *what, struct json_object *request,
	     struct json_object **reply)
{
	int r = request ? client_call(client, request, reply) : -ENOMEM;

	json_object_put(request);
	if (r == -EPIPE)
		say("%s: the daemon went away", what);
	else if (r < 0)
		say("%s: no usable answer from the daemon: %s", what, strerror(-r));
	if (r < 0)
		return r;
	if (json_object_get_boolean(field(*reply, "ok")))
		return 0;
	say("%s: %s: %s", what, field_str(*reply, "error"), field_str(*reply, "message"));
	return -EREMOTEIO;
}

void cli_filter(const struct cli *c, struct query_filter *ret)
{
	*ret = (struct query_filter){
		.campaign = c->campaign,
		.task = c->task,
		.attempt = c->attempt,
		.labels = c->labels,
		.since_ns = c->since_ns,
		.level = c->level,
		.primitive = c->primitive,
		.cause = c->cause,
		.outcome = c->outcome,
		.state = c->state,
		.subject = c->subject,
		.all = c->all,
		.disagree = c->disagree,
		.tool = c->tool,
		.failed = c->failed,
		.limit = c->limit,
	};
}

bool cli_filtered(const struct cli *c)
{
	return c->given &
	       (OPTS_FILTER | OPT_TASK | OPT_LEVEL | OPT_PRIMITIVE | OPT_CAUSE | OPT_SUBJECT |
		OPT_STATE | OPT_OUTCOME | OPT_DISAGREE | OPT_TOOL | OPT_FAILED);
}

int cli_matched(const struct cli *c, size_t rows, const char *what)
{
	if (rows)
		return EXIT_DONE;
	if (cli_filtered(c)) {
		say("no %s matched", what);
		return EXIT_NOTHING;
	}
	say("no %s on record", what);
	return EXIT_DONE;
}

int cli_query_failed(int r)
{
	say("cannot read the database: %s", strerror(-r));
	return EXIT_FAILED;
}

char *cli_split_task(const char *name, int *attempt)
{
	const char *hash = strrchr(name, '#');
	char *end;
	long n;

	*attempt = 0;
	if (!hash || hash == name || hash[1] < '0' || hash[1] > '9')
		return strdup(name);
	n = strtol(hash + 1, &end, 10);
	if (*end || n < 1 || n > INT32_MAX)
		return strdup(name);
	*attempt = (int)n;
	return strndup(name, (size_t)(hash - name));
}

struct found {
	int64_t id;
	char *campaign;
	char *others; /* ", "-joined campaigns of earlier ones */
};

static int found_task(const struct task_record *t, void *arg)
{
	struct found *f = arg;
	char *others = NULL;

	if (f->campaign && strcmp(f->campaign, t->campaign) != 0) {
		if (asprintf(&others, "%s%s%s", f->others ? f->others : "", f->others ? ", " : "",
			     f->campaign) < 0)
			return -ENOMEM;
		free(f->others);
		f->others = others;
	}
	free(f->campaign);
	f->campaign = strdup(t->campaign);
	f->id = t->id;
	return f->campaign ? 0 : -ENOMEM;
}

static void found_clear(struct found *f)
{
	free(f->campaign);
	free(f->others);
}

int cli_find_task(const struct cli *c, struct query *q, const char *name, struct task_record *ret)
{
	_cleanup_(found_clear) struct found found = { 0 };
	struct query_filter filter = { .campaign = c->campaign };
	_cleanup_free_ char *task = cli_split_task(name, &filter.attempt);
	int r;

	if (!task)
		return -ENOMEM;
	filter.task = task;
	r = query_tasks(q, &filter, false, found_task, &found);
	if (r == 0 && !found.id && filter.attempt) {
		/* A '#' may be part of the name. */
		filter.task = name;
		filter.attempt = 0;
		r = query_tasks(q, &filter, false, found_task, &found);
	}
	if (r < 0)
		return cli_query_failed(r), r;
	if (!found.id) {
		say("no task %s%s%s on record", name, c->campaign ? " in campaign " : "",
		    c->campaign ? c->campaign : "");
		return -ENOENT;
	}
	if (found.others)
		say("%s is the one of campaign %s, the latest started; also in %s (--campaign)",
		    name, found.campaign, found.others);
	r = query_task(q, found.id, true, ret);
	if (r < 0)
		cli_query_failed(r);
	return r;
}

struct json_object *cli_counts_json(const struct task_counts *n)
{
	const struct {
		const char *name;
		int64_t value;
	} list[] = {
		{ "all", n->tasks },
		{ "ok", n->ok },
		{ "failed", n->failed },
		{ "killed", n->killed },
		{ "unknown", n->unknown },
		{ "running", n->running },
		{ "with_verdict", n->with_verdict },
	};
	struct json_object *o = json_object_new_object();

	for (size_t i = 0; o && i < ARRAY_SIZE(list); i++)
		json_object_object_add(o, list[i].name, json_object_new_int64(list[i].value));
	return o;
}

void cli_print_json(struct json_object *o)
{
	printf("%s\n", json_line(o));
	json_object_put(o);
}

void cli_array_item(size_t index, struct json_object *o)
{
	printf("%s%s", index ? ",\n " : "[", json_line(o));
	json_object_put(o);
}

void cli_array_end(size_t rows)
{
	puts(rows ? "]" : "[]");
}

struct json_object *field(struct json_object *o, const char *key)
{
	struct json_object *v = NULL;

	json_object_object_get_ex(o, key, &v);
	return v;
}

const char *field_str(struct json_object *o, const char *key)
{
	struct json_object *v = field(o, key);

	return v && json_object_is_type(v, json_type_string) ? json_object_get_string(v) : "";
}

int64_t field_int(struct json_object *o, const char *key, int64_t absent)
{
	struct json_object *v = field(o, key);

	return v && json_object_is_type(v, json_type_int) ? json_object_get_int64(v) : absent;
}
