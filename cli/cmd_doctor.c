/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>

#include "../daemon/cgroupfs.h"
#include "../daemon/json.h"
#include "cli.h"
#include "launch.h"
#include "request.h"

#define BTF	  "/sys/kernel/btf/vmlinux"
#define CHECK_MAX (1024 * 1024)

/* One thing about this host; `detail` says what was seen. */
struct check {
	const char *name;
	bool needed; /* else something is lost without it, no more */
	bool (*ok)(char *detail, size_t size);
	const char *todo;
};

static bool has_root(char *detail, size_t size)
{
	snprintf(detail, size, "uid %d", (int)geteuid());
	return geteuid() == 0;
}

static bool has_btf(char *detail, size_t size)
{
	if (access(BTF, R_OK) == 0) {
		snprintf(detail, size, "%s", BTF);
		return true;
	}
	snprintf(detail, size, "%s: %s", BTF, strerror(errno));
	return false;
}

static bool has_cgroup2(char *detail, size_t size)
{
	struct cgroupfs *fs = NULL;
	int r = cgroupfs_new(&fs, "/proc", NULL);

	if (r < 0)
		snprintf(detail, size, "no cgroup2 mount: %s", strerror(-r));
	else
		snprintf(detail, size, "%s", cgroupfs_root(fs));
	if (r == 0)
		cgroupfs_free(fs);
	return r == 0;
}

static const struct check checks[] = {
	{ "root", false, has_root, "the daemon and `run` want root; queries want the group only" },
	{ "btf", true, has_btf, "use a kernel built with CONFIG_DEBUG_INFO_BTF=y" },
	{ "cgroup2", true, has_cgroup2, "mount -t cgroup2 none /sys/fs/cgroup/unified" },
};

/* What `sandfaultd --check` prints: it loads, attaches, and leaves. NULL: it told nothing. */
static struct json_object *ask_check(void)
{
	_cleanup_free_ char *binary = launch_binary(), *text = NULL;
	_cleanup_fclose_ FILE *f = NULL;
	size_t len;
	int pipes[2], status;
	pid_t pid;

	if (!binary || pipe2(pipes, O_CLOEXEC) < 0)
		return NULL;
	pid = fork();
	if (pid == 0) {
		dup2(pipes[1], STDOUT_FILENO);
		execlp(binary, "sandfaultd", "--check", (char *)NULL);
		_exit(EXIT_NOT_FOUND);
	}
	close(pipes[1]);
	f = fdopen(pipes[0], "r");
	text = calloc(1, CHECK_MAX);
	len = f && text && pid > 0 ? fread(text, 1, CHECK_MAX - 1, f) : 0;
	if (pid > 0)
		waitpid(pid, &status, 0);
	return len ? json_tokener_parse(text) : NULL;
}

static int add_sensor(const struct sensor_record *s, void *arg)
{
	struct json_object *o = json_sensor(s);

	return o && json_object_array_add(arg, o) == 0 ? 0 : -ENOMEM;
}

/* {"sensors": […]} of the daemon that runs, else what the last one stored, else a trial. *source
 * says which. NULL: nobody could tell. */
static struct json_object *find_sensors(const struct cli *c, const char **source)
{
	_cleanup_client_ struct client *client = NULL;
	_cleanup_json_ struct json_object *reply = NULL, *list = json_object_new_array();
	_cleanup_query_ struct query *q = NULL;

	*source = "the daemon that runs";
	if (cli_connect(c, &client) == 0 &&
	    cli_call(client, "doctor", request_op("status"), &reply) == 0)
		return TAKE_PTR(reply);
	*source = "the daemon's last run";
	if (list && query_open(&q, c->db) == 0 && query_sensors(q, add_sensor, list) == 0 &&
	    json_object_array_length(list) > 0) {
		struct json_object *o = json_object_new_object();

		json_object_object_add(o, "sensors", TAKE_PTR(list));
		return o;
	}
	*source = "a trial just now";
	return geteuid() == 0 ? ask_check() : NULL;
}

static const char *mark(bool ok, bool optional)
{
	return ok ? "ok" : optional ? "--" : "FAIL";
}

static enum style mark_style(bool ok, bool optional)
{
	return ok ? STYLE_GOOD : optional ? STYLE_WARN : STYLE_BAD;
}

static bool print_check(const struct render *r, const struct check *check, struct json_object *list)
{
	char detail[256];
	bool ok = check->ok(detail, sizeof(detail));
	struct json_object *o;

	if (!list) {
		render_line(r, mark_style(ok, !check->needed), "%-4s  %-12s  %s%s%s",
			    mark(ok, !check->needed), check->name, detail,
			    ok ? "" : "; do: ", ok ? "" : check->todo);
		return ok || !check->needed;
	}
	o = json_object_new_object();
	json_object_object_add(o, "name", json_object_new_string(check->name));
	json_object_object_add(o, "ok", json_object_new_boolean(ok));
	json_object_object_add(o, "needed", json_object_new_boolean(check->needed));
	json_add_bytes(o, "detail", detail, strlen(detail));
	json_object_object_add(o, "todo", ok ? NULL : json_object_new_string(check->todo));
	json_object_array_add(list, o);
	return ok || !check->needed;
}

static bool sensor_fine(struct json_object *s)
{
	return strcmp(field_str(s, "state"), "active") == 0 ||
	       json_object_get_boolean(field(s, "optional"));
}

/* What is missing, why, and what that costs; a line a sensor. */
static void print_sensor(const struct render *r, struct json_object *s)
{
	bool active = strcmp(field_str(s, "state"), "active") == 0;
	bool optional = json_object_get_boolean(field(s, "optional"));
	const char *reason = field_str(s, "reason"), *lost = field_str(s, "lost");

	render_line(r, mark_style(active, optional), "%-4s  %-12s  %s%s%s%s%s",
		    mark(active, optional), field_str(s, "name"), field_str(s, "state"),
		    *reason ? ": " : "", reason, !active && *lost ? "; lost: " : "",
		    active ? "" : lost);
}

static void print_sensors(const struct render *r, struct json_object *found, const char *source)
{
	struct json_object *sensors = field(found, "sensors");
	size_t n = sensors ? json_object_array_length(sensors) : 0;

	if (field(found, "error")) {
		render_line(r, STYLE_BAD, "FAIL  %-12s  %s", "sensors", field_str(found, "error"));
		return;
	}
	if (n == 0) {
		render_line(r, STYLE_WARN,
			    "sensors: unknown; do: run this as root, or start the "
			    "daemon as root: sandfaultd");
		return;
	}
	render_line(r, STYLE_BOLD, "sensors, by %s:", source);
	for (size_t i = 0; i < n; i++)
		print_sensor(r, json_object_array_get_idx(sensors, i));
}

static void print_conclusion(const struct render *r, bool fine, struct json_object *sensors)
{
	if (!fine)
		render_line(r, STYLE_BAD, "what is marked FAIL is needed");
	else if (sensors)
		render_line(r, STYLE_GOOD, "all that is needed is there");
}

int cmd_doctor(struct cli *c)
{
	_cleanup_json_ struct json_object *found = NULL, *out = NULL;
	struct json_object *host = NULL, *sensors;
	const char *source = "";
	struct render r;
	bool fine = true;

	render_init(&r, stdout, false);
	if (c->json)
		host = json_object_new_array();
	for (size_t i = 0; i < ARRAY_SIZE(checks); i++)
		fine &= print_check(&r, &checks[i], host);
	found = find_sensors(c, &source);
	sensors = field(found, "sensors");
	for (size_t i = 0; sensors && i < json_object_array_length(sensors); i++)
		fine &= sensor_fine(json_object_array_get_idx(sensors, i));
	fine &= !field(found, "error");
	if (!c->json) {
		print_sensors(&r, found, source);
		print_conclusion(&r, fine, sensors);
		return fine ? EXIT_DONE : EXIT_FAILED;
	}
	out = json_object_new_object();
	json_object_object_add(out, "schema", json_object_new_int(JSON_SCHEMA));
	json_object_object_add(out, "ok", json_object_new_boolean(fine));
	json_object_object_add(out, "host", host);
	json_object_object_add(out, "source", sensors ? json_object_new_string(source) : NULL);
	json_object_object_add(out, "sensors",
			       sensors ? json_object_get(sensors) : json_object_new_array());
	if (field(found, "error"))
		json_object_object_add(out, "error", json_object_get(field(found, "error")));
	json_object_object_add(out, "counters", json_object_get(field(found, "counters")));
	cli_print_json(TAKE_PTR(out));
	return fine ? EXIT_DONE : EXIT_FAILED;
}
