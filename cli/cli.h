/* SPDX-License-Identifier: GPL-2.0-only */
/* What every verb of the command line shares. */
#ifndef SANDFAULT_CLI_H
#define SANDFAULT_CLI_H

#include "../daemon/client.h"
#include "../daemon/query.h"
#include "render.h"

enum exit_status {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_NOTHING = 3,      /* nothing matched */
	EXIT_RUN_FAILED = 125, /* `run`: sandfault itself failed */
	EXIT_NOT_EXECUTABLE = 126,
	EXIT_NOT_FOUND = 127,
};

/* Options, one bit each: a verb names those that it takes. More than an int holds, which gcc and clang
 * let an enum have. */
enum option_bit {
	OPT_JSON = 1 << 0,
	OPT_DB = 1 << 1,
	OPT_SOCKET = 1 << 2,
	OPT_CAMPAIGN = 1 << 3,
	OPT_SINCE = 1 << 4,
	OPT_UTC = 1 << 5,
	OPT_LABEL = 1 << 6,
	OPT_STATE = 1 << 7,
	OPT_OUTCOME = 1 << 8,
	OPT_ALL = 1 << 9,
	OPT_LIMIT = 1 << 10,
	OPT_CGROUP = 1 << 11,
	OPT_PID = 1 << 12,
	OPT_SCOPE = 1 << 13,
	OPT_EXIT_CODE = 1 << 14,
	OPT_SIGNAL = 1 << 15,
	OPT_NOTE = 1 << 16,
	OPT_BY = 1 << 17,
	OPT_LEVEL = 1 << 18,
	OPT_PRIMITIVE = 1 << 19,
	OPT_CAUSE = 1 << 20,
	OPT_TASK = 1 << 21,
	OPT_SUBJECT = 1 << 22,
	OPT_OUTPUT = 1 << 23,
	OPT_QUIET = 1 << 24,
	OPT_TOOL = 1 << 25,
	OPT_START = 1 << 26,
	OPT_END = 1 << 27,
	OPT_FAILED = 1 << 28,
	OPT_TEXT = 1 << 29,
	OPT_PATH = 1 << 30,
	OPT_CODE = 1ULL << 31,
	OPT_RESULT = 1ULL << 32,
	OPT_WHY = 1ULL << 33,
	OPT_DISAGREE = 1ULL << 34,
	OPT_CALLS = 1ULL << 35,
	OPT_SERVER = 1ULL << 36,
	OPT_PATTERN = 1ULL << 37,
};

/* The daemon and its database; what a query is narrowed by. */
#define OPTS_PLACES (OPT_JSON | OPT_DB | OPT_SOCKET)
#define OPTS_FILTER (OPT_CAMPAIGN | OPT_LABEL | OPT_SINCE)

struct verb;

struct cli {
	const struct verb *verb;
	uint64_t given; /* enum option_bit, on the command line */
	const char *db, *socket;
	bool db_named, socket_named; /* by option or environment */
	bool json, utc, all, quiet, failed, disagree, calls;
	const char *campaign, *task;
	int attempt; /* of `task`, 0: not said */
	const char *state, *outcome, *level, *primitive, *cause, *subject;
	const char *cgroup, *scope, *note, *by, *output;
	const char *tool, *text, *path, *result, *why, *pattern;
	int64_t since_ns, limit, pid, server, exit_code, signal; /* exit_code -1: not said */
	int64_t start_ns, end_ns, code;				 /* of a call; 0: not said */
	const char **labels;					 /* "NAME=VALUE", NULL-terminated */
	size_t n_labels;
	char **args; /* what is no option */
	int n_args;
};

struct verb {
	const char *name;	   /* one word or two: "task begin" */
	const char *synopsis;	   /* arguments, "" where there are none */
	const char *help;	   /* a line */
	uint64_t options;	   /* enum option_bit */
	int min_args, max_args;	   /* max -1: any number, and options end at the first */
	int (*run)(struct cli *c); /* an exit status */
	const char *more;	   /* further lines of help, or NULL */
};

/* The verb table (main.c); ends with a NULL name. */
extern const struct verb verbs[];

/* args.c: parses what follows the verb. 0, 1: --help was asked for, -EINVAL: said on stderr. */
int args_parse(struct cli *c, int argc, char **argv);
void args_help(const struct verb *v, FILE *f);
/* "NAME=VALUE" with NAME not empty; skips a leading "label.". NULL: malformed. */
const char *args_label(const char *s);

/* common.c */

/* "sandfault: …" on stderr, escaped. */
void say(const char *fmt, ...) _printf_(1, 2);
/* The same for a wrong command line; returns EXIT_USAGE. */
int usage_error(const struct cli *c, const char *fmt, ...) _printf_(2, 3);

/* Opens the database; says what is wrong, and whether the daemon that writes it is gone. */
int cli_open(const struct cli *c, struct query **ret);
/* "as of TIME, daemon not running": TIME is the daemon's last sign of life, else the file's. */
void cli_say_as_of(const struct cli *c, struct query *q);
/* Connects to the daemon that writes this database. -errno, silent. */
int cli_connect(const struct cli *c, struct client **ret);
/* The same for a verb that can't do without; says what to do. */
int cli_need_daemon(const struct cli *c, struct client **ret);
/* One request: 0 with *reply, where the daemon said ok; else said on stderr. Takes over request.
 * -EPIPE, -EBADMSG …: no usable answer; -EREMOTEIO: refused, *reply is set. */
int cli_call(struct client *client, const char *what, struct json_object *request,
	     struct json_object **reply);
/* The filter of the options. */
void cli_filter(const struct cli *c, struct query_filter *ret);
bool cli_filtered(const struct cli *c);
/* The end of a list: EXIT_NOTHING where a filter left no rows (said on stderr). */
int cli_matched(const struct cli *c, size_t rows, const char *what);
/* Says that a query failed, EXIT_FAILED. */
int cli_query_failed(int r);
/* Finds the task a user names ("t-17", "t-17#1"); the latest started where several campaigns have
 * one, with a note. -ENOENT: said on stderr. */
int cli_find_task(const struct cli *c, struct query *q, const char *name, struct task_record *ret);
/* Splits "t-17#1"; *attempt 0 where there is none. Returns the name, owned; NULL: no memory. */
char *cli_split_task(const char *name, int *attempt);
/* Prints a JSON value and a newline. Takes over o. */
void cli_print_json(struct json_object *o);
/* JSON arrays, streamed: open, item by item (taken over), close. */
void cli_array_item(size_t index, struct json_object *o);
void cli_array_end(size_t rows);

struct json_object *cli_counts_json(const struct task_counts *n);

/* Fields of JSON objects, with a value for absent ones ("" or 0). */
const char *field_str(struct json_object *o, const char *key);
int64_t field_int(struct json_object *o, const char *key, int64_t absent);
struct json_object *field(struct json_object *o, const char *key);

static inline void json_putp(struct json_object **o)
{
	json_object_put(*o);
}
static inline void client_closep(struct client **c)
{
	if (*c)
		client_close(*c);
}
static inline void query_closep(struct query **q)
{
	if (*q)
		query_close(*q);
}
#define _cleanup_json_	  _cleanup_(json_putp)
#define _cleanup_client_  _cleanup_(client_closep)
#define _cleanup_query_	  _cleanup_(query_closep)
#define _cleanup_task_	  _cleanup_(task_record_clear)
#define _cleanup_failure_ _cleanup_(failure_record_clear)

/* task_text.c: text of a task's JSON */

/* At most a dozen lines: identity, outcome, verdict, its evidence, remedy, other failures. */
void task_text_explain(const struct render *r, struct json_object *task);
/* 1 to 6 lines, each with the program's name in front, for the end of `run`. `hint`: what to add
 * to the command that shows more, or "". */
void task_text_verdict(const struct render *r, struct json_object *task, const char *hint);
/* "level/primitive/cause: subject" of a failure or verdict; owned. */
char *failure_text(struct json_object *failure);
/* "ended by SIGKILL", "failed, exit status 1", "running" …; owned. */
char *outcome_text(struct json_object *task);
/* "t-17", with "#N" where it is not the first attempt; owned. */
char *task_text_name(struct json_object *task);
/* "label.app=x  label.domain=y"; owned. */
char *labels_text(struct json_object *task);
enum style failure_style(struct json_object *failure);
/* "2026-11-29 17:00:00Z" of a JSON time. buf: 40 bytes. */
void time_text(const struct render *r, struct json_object *o, const char *key, char *buf,
	       size_t size);

/* "12 tool calls, 2 of them failed; 1 fault in their bytes"; owned. */
char *calls_count_text(struct json_object *task);

/* call_text.c: calls as a table, or with a task's JSON */

struct call_table;
/* `with_task`: calls of several tasks. */
int call_table_new(struct call_table **ret, const struct render *r, bool with_task);
void call_table_free(struct call_table *t);
/* A row, of json_call_of(); 0 or -ENOMEM. */
int call_table_add(struct call_table *t, struct json_object *call);
void call_table_print(const struct call_table *t);
static inline void call_table_freep(struct call_table **t)
{
	call_table_free(*t);
}
#define _cleanup_call_table_ _cleanup_(call_table_freep)
/* A line for each thing that befell a channel of this task. */
int call_incidents_print(const struct render *r, struct query *q, int64_t task_id);
/* Adds the lists to the numbers in "calls" of a task's JSON. */
int call_json_add(struct json_object *task, struct query *q, int64_t task_id);

/* The verbs. */
int cmd_run(struct cli *c);
int cmd_task_begin(struct cli *c);
int cmd_task_end(struct cli *c);
int cmd_task_list(struct cli *c);
int cmd_task_show(struct cli *c);
int cmd_task_call(struct cli *c);
int cmd_task_calls(struct cli *c);
int cmd_channel_list(struct cli *c);
int cmd_channel_add(struct cli *c);
int cmd_channel_remove(struct cli *c);
int cmd_taxonomy(struct cli *c);
int cmd_failures(struct cli *c);
int cmd_explain(struct cli *c);
int cmd_alerts(struct cli *c);
int cmd_watch(struct cli *c);
int cmd_status(struct cli *c);
int cmd_doctor(struct cli *c);
int cmd_export(struct cli *c);

#endif
