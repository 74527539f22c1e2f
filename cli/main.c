/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>

#include "cli.h"

static int cmd_version(struct cli *c)
{
	if (c->json)
		printf("{\"version\":\"%s\"}\n", SANDFAULT_VERSION);
	else
		printf("sandfault %s\n", SANDFAULT_VERSION);
	return EXIT_DONE;
}

static int cmd_help(struct cli *c);

static const char run_more[] =
	"CMD runs in a fresh cgroup, as a task, with this terminal's stdin, stdout and stderr. "
	"The\n"
	"verdict is printed on stderr. Uses the running daemon, else starts a private one.\n"
	"Exit status: CMD's own; 128+N: ended by signal N; 127: CMD not found; 126: CMD can't be\n"
	"executed; 125: sandfault itself failed; 2: wrong usage.\n";

static const char name_more[] =
	"A task is named t-17, an earlier attempt of it t-17#1. Without --campaign, where several\n"
	"campaigns have a t-17, the latest started is meant.\n";

static const char call_more[] =
	"It is joined with what the kernel saw in that time, as calls that were seen are.\n";

const struct verb verbs[] = {
	{ "run", "-- CMD [ARG]…", "Runs a command as a task and says what made it fail",
	  OPT_OUTPUT | OPT_DB | OPT_SOCKET | OPT_TASK | OPT_CAMPAIGN | OPT_LABEL | OPT_QUIET, 1, -1,
	  cmd_run, run_more },
	{ "task begin", "TASK", "Opens a task: a cgroup, or a process and what descends from it",
	  OPTS_PLACES | OPT_CAMPAIGN | OPT_LABEL | OPT_CGROUP | OPT_PID | OPT_SCOPE | OPT_SERVER, 1,
	  1, cmd_task_begin, NULL },
	{ "task end", "TASK", "Ends a task, waits for its verdict and prints it",
	  OPTS_PLACES | OPT_CAMPAIGN | OPT_OUTCOME | OPT_EXIT_CODE | OPT_SIGNAL | OPT_NOTE |
		  OPT_RESULT | OPT_WHY | OPT_UTC,
	  1, 1, cmd_task_end, NULL },
	{ "task list", "", "Lists tasks and their verdicts, oldest first",
	  OPTS_PLACES | OPTS_FILTER | OPT_STATE | OPT_OUTCOME | OPT_DISAGREE | OPT_ALL | OPT_LIMIT |
		  OPT_UTC,
	  0, 0, cmd_task_list, NULL },
	{ "task show", "TASK", "Shows all that is known of a task",
	  OPTS_PLACES | OPT_CAMPAIGN | OPT_CALLS | OPT_ALL | OPT_UTC, 1, 1, cmd_task_show,
	  name_more },
	{ "task calls", "[TASK]", "Lists tool calls, oldest first",
	  OPTS_PLACES | OPTS_FILTER | OPT_TOOL | OPT_SUBJECT | OPT_FAILED | OPT_LIMIT | OPT_UTC, 0,
	  1, cmd_task_calls, NULL },
	{ "task call", "TASK", "Tells of a tool call whose channel can't be seen",
	  OPTS_PLACES | OPT_CAMPAIGN | OPT_TOOL | OPT_START | OPT_END | OPT_FAILED | OPT_CODE |
		  OPT_TEXT | OPT_PATH,
	  1, 1, cmd_task_call, call_more },
	{ "channel list", "", "Lists the tool channels that are observed", OPTS_PLACES | OPT_UTC, 0,
	  0, cmd_channel_list, NULL },
	{ "channel add", "", "Names tool servers outside of every task, to be observed",
	  OPTS_PLACES | OPT_PID | OPT_CGROUP | OPT_PATTERN, 0, 0, cmd_channel_add, NULL },
	{ "channel remove", "", "Takes that back", OPTS_PLACES | OPT_PID | OPT_CGROUP | OPT_PATTERN,
	  0, 0, cmd_channel_remove, NULL },
	{ "taxonomy", "", "Counts tasks by what made them fail",
	  OPTS_PLACES | OPTS_FILTER | OPT_LEVEL | OPT_PRIMITIVE | OPT_CAUSE | OPT_BY | OPT_UTC, 0,
	  0, cmd_taxonomy, NULL },
	{ "failures", "", "Lists failures, newest last",
	  OPTS_PLACES | OPTS_FILTER | OPT_LEVEL | OPT_PRIMITIVE | OPT_CAUSE | OPT_TASK |
		  OPT_SUBJECT | OPT_ALL | OPT_LIMIT | OPT_UTC,
	  0, 0, cmd_failures, NULL },
	{ "explain", "TASK|FAILURE", "Says in a dozen lines what made a task fail, and what to do",
	  OPTS_PLACES | OPT_CAMPAIGN | OPT_UTC, 1, 1, cmd_explain, name_more },
	{ "alerts", "", "Lists spikes: primitives that hit more tasks than usual",
	  OPTS_PLACES | OPT_CAMPAIGN | OPT_SINCE | OPT_LEVEL | OPT_PRIMITIVE | OPT_LIMIT | OPT_UTC,
	  0, 0, cmd_alerts, NULL },
	{ "watch", "", "Prints failures as they are seen, until interrupted",
	  OPTS_PLACES | OPT_CAMPAIGN | OPT_LEVEL | OPT_UTC, 0, 0, cmd_watch, NULL },
	{ "status", "", "Shows what was seen, counted and lost, and the open tasks",
	  OPTS_PLACES | OPT_UTC, 0, 0, cmd_status, NULL },
	{ "doctor", "", "Checks this host and each sensor, and says what to do", OPTS_PLACES, 0, 0,
	  cmd_doctor, NULL },
	{ "export", "", "Prints tasks with all their failures, one JSON object a line",
	  OPT_DB | OPT_SOCKET | OPT_JSON | OPTS_FILTER | OPT_STATE | OPT_OUTCOME | OPT_CALLS |
		  OPT_LIMIT,
	  0, 0, cmd_export, NULL },
	{ "version", "", "Prints the version", OPT_JSON, 0, 0, cmd_version, NULL },
	{ "help", "[VERB]", "Prints help", 0, 0, 2, cmd_help, NULL },
	{ NULL, NULL, NULL, 0, 0, 0, NULL, NULL },
};

static void print_usage(FILE *f)
{
	fprintf(f,
		"usage: sandfault VERB [OPTION]… [ARGUMENT]…\n\n"
		"Says which sandbox primitive, or which fault of the tool interface, made a task "
		"fail.\n\n");
	for (const struct verb *v = verbs; v->name; v++) {
		char left[40];

		snprintf(left, sizeof(left), "%s %s", v->name, v->synopsis);
		fprintf(f, "  %s%*s  %s\n", left, 24 - render_width(left), "", v->help);
	}
	fprintf(f, "\n`sandfault help VERB` names a verb's options.\n"
		   "Exit status: 0 done, 1 failed, 2 usage, 3 nothing matched.\n");
}

/* The verb that argv begins with; *words: how many words name it. */
static const struct verb *find_verb(int argc, char **argv, int *words)
{
	for (const struct verb *v = verbs; v->name; v++) {
		const char *second = strchr(v->name, ' ');
		size_t n = second ? (size_t)(second - v->name) : strlen(v->name);

		if (argc < 1 || strlen(argv[0]) != n || strncmp(argv[0], v->name, n) != 0)
			continue;
		if (second && (argc < 2 || strcmp(argv[1], second + 1) != 0))
			continue;
		*words = second ? 2 : 1;
		return v;
	}
	return NULL;
}

/* All verbs that begin with this word: `help task`. */
static bool help_group(const char *word)
{
	size_t n = strlen(word);
	bool found = false;

	for (const struct verb *v = verbs; v->name; v++) {
		if (strncmp(v->name, word, n) != 0 || v->name[n] != ' ')
			continue;
		if (found)
			fputc('\n', stdout);
		args_help(v, stdout);
		found = true;
	}
	return found;
}

static int cmd_help(struct cli *c)
{
	const struct verb *v;
	int words;

	if (c->n_args == 0) {
		print_usage(stdout);
		return EXIT_DONE;
	}
	v = find_verb(c->n_args, c->args, &words);
	if (v && words == c->n_args) {
		args_help(v, stdout);
		return EXIT_DONE;
	}
	if (c->n_args == 1 && help_group(c->args[0]))
		return EXIT_DONE;
	return usage_error(c, "unknown verb: %s", c->args[c->n_args - 1]);
}

static int unknown_verb(char **argv)
{
	if (argv[0])
		say("unknown verb: %s%s%s; usage: sandfault VERB [OPTION]…, see `sandfault help`",
		    argv[0], argv[1] ? " " : "", argv[1] ? argv[1] : "");
	else
		print_usage(stderr);
	return EXIT_USAGE;
}

static int dispatch(int argc, char **argv)
{
	struct cli c = { 0 };
	int words, r;

	if (argc > 0 && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0)) {
		print_usage(stdout);
		return EXIT_DONE;
	}
	if (argc > 0 && strcmp(argv[0], "--version") == 0)
		return cmd_version(&c);
	if (argc == 2 && strcmp(argv[1], "--help") == 0 && help_group(argv[0]))
		return EXIT_DONE;
	c.verb = find_verb(argc, argv, &words);
	if (!c.verb)
		return unknown_verb(argv);
	r = args_parse(&c, argc - words + 1, argv + words - 1);
	if (r > 0)
		args_help(c.verb, stdout);
	if (r == 0)
		r = c.verb->run(&c);
	else
		/* 2 could be the command's own status. */
		r = r > 0 ? EXIT_DONE : EXIT_USAGE;
	free(c.labels);
	return r;
}

int main(int argc, char **argv)
{
	int status;

	render_locale();
	status = dispatch(argc - 1, argv + 1);
	/* A full disk behind stdout must not look like success. */
	if (fflush(stdout) != 0 || ferror(stdout)) {
		say("cannot write to stdout: %s", strerror(errno));
		if (status == EXIT_DONE || status == EXIT_NOTHING)
			status = EXIT_FAILED;
	}
	return status;
}
