/* SPDX-License-Identifier: GPL-2.0-only */
/* The daemon's command line. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <string.h>

#include "options_impl.h"

enum {
	OPT_CONFIG = 256,
	OPT_KEY, /* sets the key of the same name */
	OPT_PRIVATE,
	OPT_NO_PAYLOAD,
	OPT_READY_FD,
	OPT_CHECK,
	OPT_RECORD,
	OPT_HELP,
	OPT_VERSION,
};

/* One row drives parsing and help. */
static const struct line_option {
	const char *name;
	const char *value; /* NULL: takes none */
	int code;
	const char *help;
} line_options[] = {
	{ "config", "FILE", OPT_CONFIG, "configuration (default " DEFAULT_CONFIG ")" },
	{ "db", "FILE", OPT_KEY, "database (default " DEFAULT_DB ")" },
	{ "socket", "PATH", OPT_KEY, "control socket (default " DEFAULT_SOCKET ")" },
	{ "group", "NAME", OPT_KEY,
	  "who may read and control; - for none (default " DEFAULT_GROUP ")" },
	{ "template", "T", OPT_KEY,
	  "how cgroups name tasks, e.g. /campaigns/{campaign}/{task}; repeatable" },
	{ "private", NULL, OPT_PRIVATE, "leave 5 s after the last task has ended" },
	{ "ready-fd", "N", OPT_READY_FD,
	  "write \"ready\" to this descriptor once tasks can begin" },
	{ "check", NULL, OPT_CHECK, "load and attach, print the sensors as JSON, leave" },
	{ "record", "FILE", OPT_RECORD,
	  "keep all that comes in, to judge it again: see record in docs/replay.md" },
	{ "no-sensor", "NAMES", OPT_KEY,
	  "optional sensors that are not to be used, or fexit, kprobe; repeatable" },
	{ "no-payload", NULL, OPT_NO_PAYLOAD,
	  "keep only shapes and digests of what tools say (channel-payload = off)" },
	{ "log-level", "L", OPT_KEY, "error, warning, info (default) or debug" },
	{ "help", NULL, OPT_HELP, "this text" },
	{ "version", NULL, OPT_VERSION, "the version" },
};

static void print_usage(FILE *f)
{
	fputs("usage: sandfaultd [OPTION]...\n"
	      "Watches the tasks of a fuzz campaign and says which sandbox primitive failed "
	      "them.\n\n",
	      f);
	for (size_t i = 0; i < ARRAY_SIZE(line_options); i++) {
		const struct line_option *l = &line_options[i];
		char left[32];

		snprintf(left, sizeof(left), "--%s %s", l->name, l->value ? l->value : "");
		fprintf(f, "  %-18s %s\n", left, l->help);
	}
	fputs("\nAn option goes before SANDFAULT_DB and SANDFAULT_SOCKET, these before the file.\n",
	      f);
}

/* What the line says, applied after the file was read. */
struct line {
	bool again; /* the descriptor of --ready-fd is closed by now */
	const char *config;
	size_t n;
	struct {
		const char *key, *value;
	} * set;
};

static void line_clear(struct line *l)
{
	free(l->set);
}

static int parse_fd(const char *s, int *ret)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(s, &end, 10);
	if (errno || end == s || *end || n < 0 || n > INT32_MAX || fcntl((int)n, F_GETFD) < 0)
		return -EINVAL;
	*ret = (int)n;
	return 0;
}

static int parse_one(struct options *o, struct line *l, const struct line_option *opt)
{
	switch (opt->code) {
	case OPT_CONFIG:
		l->config = optarg;
		return 0;
	case OPT_KEY:
		l->set[l->n].key = opt->name;
		l->set[l->n++].value = optarg;
		return 0;
	case OPT_NO_PAYLOAD:
		l->set[l->n].key = "channel-payload";
		l->set[l->n++].value = "off";
		return 0;
	case OPT_PRIVATE:
		o->foreground_private = true;
		return 0;
	case OPT_READY_FD:
		if (l->again || parse_fd(optarg, &o->ready_fd) == 0)
			return 0;
		fprintf(stderr,
			"sandfaultd: --ready-fd: \"%s\" is no open descriptor; allowed: "
			"the number of one\n",
			optarg);
		return -EINVAL;
	case OPT_RECORD:
		if (l->again)
			return 0;
		free(o->record);
		o->record = strdup(optarg);
		return o->record ? 0 : -ENOMEM;
	case OPT_CHECK:
		o->check = true;
		return 0;
	case OPT_VERSION:
		puts("sandfaultd " SANDFAULT_VERSION);
		return 1;
	default:
		print_usage(stdout);
		return 1;
	}
}

static int parse_line(struct options *o, struct line *l, int argc, char **argv)
{
	struct option table[ARRAY_SIZE(line_options) + 1] = { 0 };
	int index, r = 0;

	l->set = calloc((size_t)argc + 1, sizeof(*l->set));
	if (!l->set)
		return -ENOMEM;
	for (size_t i = 0; i < ARRAY_SIZE(line_options); i++)
		table[i] = (struct option){ line_options[i].name,
					    line_options[i].value ? required_argument : no_argument,
					    NULL, line_options[i].code };
	optind = 0; /* glibc: start over, tests parse many lines */
	while (r == 0) {
		int c = getopt_long(argc, argv, "", table, &index);

		if (c == -1)
			break;
		/* getopt_long(3) has said what is wrong. */
		r = c == '?' ? -EINVAL : parse_one(o, l, &line_options[index]);
		if (c == '?')
			print_usage(stderr);
	}
	if (r == 0 && optind < argc) {
		fprintf(stderr, "sandfaultd: unexpected argument \"%s\"\n", argv[optind]);
		print_usage(stderr);
		r = -EINVAL;
	}
	return r;
}

static int load_config(struct options *o, const char *asked)
{
	const char *path = asked ? asked : DEFAULT_CONFIG;
	_cleanup_free_ char *error = NULL;
	int r = options_load(o, path, &error);

	if (r == -ENOENT && !asked)
		return 0;
	if (r < 0) {
		if (error)
			fprintf(stderr, "sandfaultd: %s\n", error);
		else
			fprintf(stderr, "sandfaultd: cannot read %s: %s\n", path, strerror(-r));
		return -EINVAL;
	}
	free(o->config);
	o->config = strdup(path);
	return o->config ? 0 : -ENOMEM;
}

/* A file's paths are absolute; on the line and in the environment people write what their shell
 * completes. */
static char *absolute(const char *key, const char *value)
{
	_cleanup_free_ char *cwd = NULL;
	char *path;

	if (options_find(key)->kind != KEY_PATH || !*value || value[0] == '/')
		return strdup(value);
	cwd = getcwd(NULL, 0);
	if (!cwd || asprintf(&path, "%s/%s", cwd, value) < 0)
		return NULL;
	return path;
}

static int set_from(struct options *o, const char *source, const char *key, const char *value)
{
	_cleanup_free_ char *error = NULL;
	_cleanup_free_ char *full = absolute(key, value);
	int r = full ? options_set(o, key, full, &error) : -ENOMEM;

	if (r < 0)
		fprintf(stderr, "sandfaultd: %s%s\n", source, error ? error : strerror(-r));
	return r < 0 ? -EINVAL : 0;
}

static int apply_environment(struct options *o)
{
	const char *db = getenv("SANDFAULT_DB"), *socket = getenv("SANDFAULT_SOCKET");
	int r = 0;

	if (db && *db)
		r = set_from(o, "SANDFAULT_DB: ", "db", db);
	if (r == 0 && socket && *socket)
		r = set_from(o, "SANDFAULT_SOCKET: ", "socket", socket);
	return r;
}

static int parse(struct options *o, struct line *l, int argc, char **argv)
{
	int r = parse_line(o, l, argc, argv);

	if (r == 0)
		r = load_config(o, l->config);
	if (r == 0)
		r = apply_environment(o);
	for (size_t i = 0; r == 0 && i < l->n; i++)
		r = set_from(o, "--", l->set[i].key, l->set[i].value);
	o->argc = argc;
	o->argv = argv;
	return r;
}

int options_parse(struct options *o, int argc, char **argv)
{
	_cleanup_(line_clear) struct line l = { 0 };

	return parse(o, &l, argc, argv);
}

int options_reread(struct options *fresh, const struct options *o)
{
	_cleanup_(line_clear) struct line l = { .again = true };
	int r = options_init(fresh);

	if (r < 0)
		return r;
	r = parse(fresh, &l, o->argc, o->argv);
	if (r < 0)
		options_clear(fresh);
	return r;
}
