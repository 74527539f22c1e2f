/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <string.h>

#include "../daemon/names.h"
#include "../daemon/options.h"
#include "../daemon/since.h"
#include "cli.h"

struct row;
/* Takes the value of an option into the field at row->offset; false: not allowed. */
typedef bool (*take_fn)(struct cli *c, const struct row *row, const char *value);

struct row {
	uint64_t bit;
	const char *name;
	char letter;	   /* 0: none */
	const char *value; /* what stands for its value in help; NULL: takes none */
	const char *help;
	const char *allowed; /* said where the value is refused */
	take_fn take;
	size_t offset;
	int (*parse)(const char *s); /* for take_name */
};

static void *at(struct cli *c, const struct row *row)
{
	return (char *)c + row->offset;
}

static bool take_flag(struct cli *c, const struct row *row, const char *value)
{
	*(bool *)at(c, row) = true;
	return true;
}

static bool take_string(struct cli *c, const struct row *row, const char *value)
{
	*(const char **)at(c, row) = value;
	return *value != '\0';
}

static bool take_name(struct cli *c, const struct row *row, const char *value)
{
	*(const char **)at(c, row) = value;
	return row->parse(value) >= 0;
}

static int parse_scope(const char *s)
{
	return strcmp(s, "cgroup") == 0 || strcmp(s, "process") == 0 ? 0 : -EINVAL;
}

static bool parse_number(const char *s, int64_t *ret)
{
	char *end;

	if (*s < '0' || *s > '9')
		return false;
	errno = 0;
	*ret = strtoll(s, &end, 10);
	return errno == 0 && *end == '\0';
}

static bool take_count(struct cli *c, const struct row *row, const char *value)
{
	return parse_number(value, at(c, row)) && *(int64_t *)at(c, row) > 0 &&
	       *(int64_t *)at(c, row) <= INT_MAX;
}

static bool take_code(struct cli *c, const struct row *row, const char *value)
{
	int64_t *code = at(c, row);
	bool minus = *value == '-';

	if (!parse_number(value + minus, code) || *code > INT_MAX)
		return false;
	if (minus)
		*code = -*code;
	return true;
}

static bool take_exit_code(struct cli *c, const struct row *row, const char *value)
{
	return parse_number(value, at(c, row)) && *(int64_t *)at(c, row) <= 255;
}

static bool take_signal(struct cli *c, const struct row *row, const char *value)
{
	int64_t *signal = at(c, row);

	if (!parse_number(value, signal))
		*signal = names_signal_parse(value);
	return *signal > 0 && *signal <= 64;
}

static bool take_since(struct cli *c, const struct row *row, const char *value)
{
	return since_parse(value, util_now_realtime(), at(c, row)) == 0;
}

const char *args_label(const char *s)
{
	static const char prefix[] = "label.";
	const char *equals;

	if (strncmp(s, prefix, strlen(prefix)) == 0)
		s += strlen(prefix);
	equals = strchr(s, '=');
	return equals && equals != s ? s : NULL;
}

static bool take_label(struct cli *c, const struct row *row, const char *value)
{
	const char *label = args_label(value);
	const char **list;

	if (!label)
		return false;
	list = reallocarray(c->labels, c->n_labels + 2, sizeof(*list));
	if (!list)
		return false;
	list[c->n_labels++] = label;
	list[c->n_labels] = NULL;
	c->labels = list;
	return true;
}

#define FIELD(f)  offsetof(struct cli, f)
#define NOT_EMPTY "not empty"

static const struct row rows[] = {
	{ OPT_OUTPUT, "output", 'o', "FILE", "write the task's final JSON there", NOT_EMPTY,
	  take_string, FIELD(output), NULL },
	{ OPT_JSON, "json", 0, NULL, "JSON instead of text", NULL, take_flag, FIELD(json), NULL },
	{ OPT_DB, "db", 0, "FILE", "the database (else SANDFAULT_DB, else " DEFAULT_DB ")",
	  NOT_EMPTY, take_string, FIELD(db), NULL },
	{ OPT_SOCKET, "socket", 0, "PATH",
	  "the daemon's socket (else SANDFAULT_SOCKET, else " DEFAULT_SOCKET ")", NOT_EMPTY,
	  take_string, FIELD(socket), NULL },
	{ OPT_TASK, "task", 0, "ID", "the task's id", NOT_EMPTY, take_string, FIELD(task), NULL },
	{ OPT_CAMPAIGN, "campaign", 0, "NAME", "the campaign", NOT_EMPTY, take_string,
	  FIELD(campaign), NULL },
	{ OPT_LABEL, "label", 0, "NAME=VALUE", "a label (may be repeated)", "NAME=VALUE",
	  take_label, 0, NULL },
	{ OPT_SINCE, "since", 0, "TIME", "at or after: " SINCE_SYNTAX, SINCE_SYNTAX, take_since,
	  FIELD(since_ns), NULL },
	{ OPT_LEVEL, "level", 0, "LEVEL", "sandbox, interface or workload",
	  "sandbox, interface or workload", take_name, FIELD(level), level_parse },
	{ OPT_PRIMITIVE, "primitive", 0, "NAME", "the primitive", NOT_EMPTY, take_string,
	  FIELD(primitive), NULL },
	{ OPT_CAUSE, "cause", 0, "NAME", "the cause", NOT_EMPTY, take_string, FIELD(cause), NULL },
	{ OPT_SUBJECT, "subject", 0, "TEXT", "subjects that contain TEXT", NOT_EMPTY, take_string,
	  FIELD(subject), NULL },
	{ OPT_STATE, "state", 0, "STATE", "running, settling or final",
	  "running, settling or final", take_name, FIELD(state), task_state_parse },
	{ OPT_OUTCOME, "outcome", 0, "OUTCOME", "ok, failed, killed or unknown",
	  "ok, failed, killed or unknown", take_name, FIELD(outcome), outcome_parse },
	{ OPT_BY, "by", 0, "KEY[,KEY]", "level, primitive, cause or label.NAME; three at most",
	  NOT_EMPTY, take_string, FIELD(by), NULL },
	{ OPT_TOOL, "tool", 0, "NAME", "the tool", NOT_EMPTY, take_string, FIELD(tool), NULL },
	{ OPT_START, "start", 0, "TIME", "when the call began (else the call before it ended)",
	  SINCE_SYNTAX, take_since, FIELD(start_ns), NULL },
	{ OPT_END, "end", 0, "TIME", "when it was answered (else now)", SINCE_SYNTAX, take_since,
	  FIELD(end_ns), NULL },
	{ OPT_FAILED, "failed", 0, NULL, "failed calls; `task call`: this one did", NULL, take_flag,
	  FIELD(failed), NULL },
	{ OPT_CODE, "code", 0, "N", "the code of its error", "a number of 32 bits", take_code,
	  FIELD(code), NULL },
	{ OPT_TEXT, "text", 0, "TEXT", "what the tool answered", NOT_EMPTY, take_string,
	  FIELD(text), NULL },
	{ OPT_PATH, "path", 0, "PATH", "the path it was given", NOT_EMPTY, take_string, FIELD(path),
	  NULL },
	{ OPT_CGROUP, "cgroup", 0, "PATH", "what runs in this cgroup", NOT_EMPTY, take_string,
	  FIELD(cgroup), NULL },
	{ OPT_PID, "pid", 0, "N", "this process and its descendants", "a process id", take_count,
	  FIELD(pid), NULL },
	{ OPT_SERVER, "server", 0, "N", "a tool server outside of the task, which serves it",
	  "a process id", take_count, FIELD(server), NULL },
	{ OPT_PATTERN, "pattern", 0, "P",
	  "processes whose command line fits this pattern of the shell's", NOT_EMPTY, take_string,
	  FIELD(pattern), NULL },
	{ OPT_SCOPE, "scope", 0, "SCOPE", "cgroup or process", "cgroup or process", take_name,
	  FIELD(scope), parse_scope },
	{ OPT_EXIT_CODE, "exit-code", 0, "N", "the task's exit status", "0 to 255", take_exit_code,
	  FIELD(exit_code), NULL },
	{ OPT_SIGNAL, "signal", 0, "N", "the signal that ended it", "a signal's number or name",
	  take_signal, FIELD(signal), NULL },
	{ OPT_NOTE, "note", 0, "TEXT", "a note that is kept with it", NOT_EMPTY, take_string,
	  FIELD(note), NULL },
	{ OPT_RESULT, "result", 0, "RESULT", "the campaign's own word: pass or fail",
	  "pass or fail", take_name, FIELD(result), campaign_result_parse },
	{ OPT_WHY, "why", 0, "TEXT", "… and why", NOT_EMPTY, take_string, FIELD(why), NULL },
	{ OPT_CALLS, "calls", 0, NULL, "its tool calls too", NULL, take_flag, FIELD(calls), NULL },
	{ OPT_DISAGREE, "disagree", 0, NULL,
	  "tasks of which the campaign says something else than their failures", NULL, take_flag,
	  FIELD(disagree), NULL },
	{ OPT_ALL, "all", 0, NULL, "handled failures and earlier attempts too", NULL, take_flag,
	  FIELD(all), NULL },
	{ OPT_LIMIT, "limit", 0, "N", "at most N rows, the newest", "a number above 0", take_count,
	  FIELD(limit), NULL },
	{ OPT_UTC, "utc", 0, NULL, "times in UTC instead of local time", NULL, take_flag,
	  FIELD(utc), NULL },
	{ OPT_QUIET, "quiet", 'q', NULL, "no verdict on stderr", NULL, take_flag, FIELD(quiet),
	  NULL },
};

enum { LONG_ONLY = 256, HELP = 'h' };

/* What getopt_long() wants, for the options of one verb. */
static void getopt_tables(const struct verb *v, char *letters, struct option *table)
{
	*letters++ = v->max_args < 0 ? '+' : ':';
	if (v->max_args < 0)
		*letters++ = ':';
	*letters++ = HELP;
	*table++ = (struct option){ "help", no_argument, NULL, HELP };
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!(v->options & rows[i].bit))
			continue;
		*table++ = (struct option){ rows[i].name,
					    rows[i].value ? required_argument : no_argument, NULL,
					    LONG_ONLY + (int)i };
		if (!rows[i].letter)
			continue;
		*letters++ = rows[i].letter;
		if (rows[i].value)
			*letters++ = ':';
	}
	*letters = '\0';
	*table = (struct option){ NULL, 0, NULL, 0 };
}

static const struct row *find_row(int key)
{
	if (key >= LONG_ONLY)
		return &rows[key - LONG_ONLY];
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].letter == key)
			return &rows[i];
	return NULL;
}

/* A value from the command line, else from the environment, else the default. */
static void settle_places(struct cli *c)
{
	const char *db = getenv("SANDFAULT_DB"), *path = getenv("SANDFAULT_SOCKET");

	if (!c->db && db && *db)
		c->db = db;
	if (!c->socket && path && *path)
		c->socket = path;
	c->db_named = c->db;
	c->socket_named = c->socket;
	if (!c->db)
		c->db = DEFAULT_DB;
	if (!c->socket)
		c->socket = DEFAULT_SOCKET;
}

static int check_count(struct cli *c)
{
	if (c->n_args < c->verb->min_args)
		return usage_error(c, "%s is missing", c->verb->synopsis);
	if (c->verb->max_args >= 0 && c->n_args > c->verb->max_args)
		return usage_error(c, "%s is one argument too many", c->args[c->verb->max_args]);
	return 0;
}

int args_parse(struct cli *c, int argc, char **argv)
{
	struct option table[ARRAY_SIZE(rows) + 2];
	char letters[ARRAY_SIZE(rows) * 2 + 4];
	int key;

	getopt_tables(c->verb, letters, table);
	opterr = 0;
	optind = 0;
	c->exit_code = -1;
	while ((key = getopt_long(argc, argv, letters, table, NULL)) != -1) {
		const struct row *row = find_row(key);

		if (key == HELP)
			return 1;
		if (key == ':')
			return usage_error(c, "%s needs a value", argv[optind - 1]), -EINVAL;
		if (!row && optopt > 0 && optopt < LONG_ONLY)
			return usage_error(c, "unknown option -%c", optopt), -EINVAL;
		if (!row)
			return usage_error(c, "unknown option %s", argv[optind - 1]), -EINVAL;
		if (!row->take(c, row, optarg))
			return usage_error(c, "--%s=%s: want %s", row->name, optarg, row->allowed),
			       -EINVAL;
		c->given |= row->bit;
	}
	c->args = argv + optind;
	c->n_args = argc - optind;
	settle_places(c);
	return check_count(c) ? -EINVAL : 0;
}

void args_help(const struct verb *v, FILE *f)
{
	fprintf(f, "usage: sandfault %s%s%s%s\n\n%s.\n", v->name, v->options ? " [OPTION]…" : "",
		*v->synopsis ? " " : "", v->synopsis, v->help);
	if (v->more)
		fprintf(f, "\n%s", v->more);
	if (v->options)
		fputc('\n', f);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char left[64];

		if (!(v->options & rows[i].bit))
			continue;
		snprintf(left, sizeof(left), "%c%c%c --%s%s%s", rows[i].letter ? '-' : ' ',
			 rows[i].letter ? rows[i].letter : ' ', rows[i].letter ? ',' : ' ',
			 rows[i].name, rows[i].value ? " " : "",
			 rows[i].value ? rows[i].value : "");
		fprintf(f, "  %-26s  %s\n", left, rows[i].help);
	}
}
