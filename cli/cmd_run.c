/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `run`: the child waits on a pipe until the daemon has put it into its cgroup, then becomes the
 * command. Nothing of ours stands between the command and its terminal.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>

#include "../daemon/json.h"
#include "../daemon/options.h"
#include "cli.h"
#include "launch.h"
#include "leftover.h"
#include "output.h"
#include "request.h"

#define NAME_MAX_BYTES 64
#define REJOIN_NS      (10 * NSEC_PER_SEC) /* a daemon that is being restarted */

struct run {
	struct cli *cli;
	char *task;
	struct client *client;
	struct json_object *begun;
	pid_t child;
	int go;	   /* a byte here releases the child */
	int error; /* the child's errno, where it could not exec */
	sigset_t blocked, before;
	struct sigaction chld_before, pipe_before;
};

static void run_clear(struct run *r)
{
	free(r->task);
	client_closep(&r->client);
	json_object_put(r->begun);
	util_closep(&r->go);
	util_closep(&r->error);
}

/* The command's base name and a random suffix. */
static char *default_name(const char *command)
{
	static const char letters[] = "abcdefghijkmnpqrstuvwxyz23456789";
	const char *slash = strrchr(command, '/'), *base = slash && slash[1] ? slash + 1 : command;
	_cleanup_free_ char *escaped = util_escape(base, strnlen(base, NAME_MAX_BYTES));
	unsigned char noise[6];
	char suffix[sizeof(noise) + 1] = "", *name;

	if (getrandom(noise, sizeof(noise), 0) != sizeof(noise))
		return NULL;
	for (size_t i = 0; i < sizeof(noise); i++)
		suffix[i] = letters[noise[i] % (sizeof(letters) - 1)];
	/* t#1 would be an attempt of t. */
	for (char *p = escaped; p && *p; p++)
		if (*p == '#')
			*p = '_';
	return escaped && asprintf(&name, "%s-%s", escaped, suffix) > 0 ? name : NULL;
}

/* The daemon at the socket; where none was named and none runs, the database's private one. */
static int run_connect(const struct cli *c, struct client **ret, char **reason)
{
	int r = -ENOENT;

	if (c->socket_named || !c->db_named) {
		r = client_connect(ret, c->socket);
		if (r >= 0)
			return 0;
	}
	if (!c->socket_named && (r == -ENOENT || r == -ECONNREFUSED))
		return launch_connect(c->db, ret, reason);
	if (asprintf(reason, "no daemon answers at %s: %s", c->socket, strerror(-r)) < 0)
		*reason = NULL;
	return r;
}

/* From here to the end signals wait for us to look, and the child's end can't be missed. */
static void hold_signals(struct run *r)
{
	static const int held[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD };

	sigemptyset(&r->blocked);
	for (size_t i = 0; i < ARRAY_SIZE(held); i++)
		sigaddset(&r->blocked, held[i]);
	sigprocmask(SIG_BLOCK, &r->blocked, &r->before);
	/* A caller that ignores SIGCHLD would have our children reaped unseen. */
	sigaction(SIGCHLD, &(struct sigaction){ .sa_handler = SIG_DFL }, &r->chld_before);
	sigaction(SIGPIPE, &(struct sigaction){ .sa_handler = SIG_IGN }, &r->pipe_before);
}

static _Noreturn void become_command(const struct run *r, int go, int error)
{
	char **args = r->cli->args;
	char byte;
	int e;

	if (read(go, &byte, 1) != 1)
		_exit(EXIT_RUN_FAILED);
	sigaction(SIGCHLD, &r->chld_before, NULL);
	sigaction(SIGPIPE, &r->pipe_before, NULL);
	sigprocmask(SIG_SETMASK, &r->before, NULL);
	execvp(args[0], args);
	e = errno;
	if (write(error, &e, sizeof(e)) != sizeof(e))
		_exit(EXIT_RUN_FAILED);
	_exit(e == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

static int fork_command(struct run *r)
{
	int go[2], error[2];

	if (pipe2(go, O_CLOEXEC) < 0)
		return -errno;
	r->go = go[1];
	if (pipe2(error, O_CLOEXEC) < 0) {
		close(go[0]);
		return -errno;
	}
	r->error = error[0];
	r->child = fork();
	if (r->child == 0) {
		/* Our end of its own pipe would keep it waiting when we are gone. */
		close(go[1]);
		become_command(r, go[0], error[1]);
	}
	close(go[0]);
	close(error[1]);
	return r->child < 0 ? -errno : 0;
}

static int begin(struct run *r)
{
	struct json_object *request = request_begin(r->cli, r->task, "run", r->child);
	int err = cli_call(r->client, "run", request, &r->begun);

	if (err == 0 && write(r->go, "", 1) == 1)
		return 0;
	/* Without its byte the child leaves. */
	close(TAKE_FD(r->go));
	waitpid(r->child, NULL, 0);
	return -ECANCELED;
}

/*
 * What a person or a program sent to us is for the command. What the terminal sent (SI_KERNEL)
 * went to the whole foreground group, so the command has it already; so has it what it sent itself.
 */
static void forward(const struct run *r, const siginfo_t *info)
{
	if (info->si_signo != SIGCHLD && info->si_code <= 0 && info->si_pid != r->child)
		kill(r->child, info->si_signo);
}

static int await_command(const struct run *r)
{
	siginfo_t info;
	int status;

	for (;;) {
		pid_t pid = waitpid(r->child, &status, WNOHANG);

		if (pid == r->child)
			return status;
		if (pid < 0 && errno != EINTR)
			return -errno;
		if (sigwaitinfo(&r->blocked, &info) > 0)
			forward(r, &info);
	}
}

static int exit_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int end_once(struct run *r, const struct request_end *e, struct json_object **reply)
{
	_cleanup_json_ struct json_object *request = request_end(r->cli, e);

	return request ? client_call(r->client, request, reply) : -ENOMEM;
}

/* A daemon that was restarted meanwhile knows the task from its database. */
static int end_again(struct run *r, const struct request_end *e, struct json_object **reply)
{
	int64_t deadline = util_now_boottime() + REJOIN_NS;
	int err = -EPIPE;

	while (err < 0 && util_now_boottime() < deadline) {
		_cleanup_free_ char *reason = NULL;

		client_closep(&r->client);
		r->client = NULL;
		usleep(100000);
		if (run_connect(r->cli, &r->client, &reason) == 0)
			err = end_once(r, e, reply);
	}
	return err;
}

/* The task's final JSON, borrowed from *reply; NULL: said on stderr. */
static struct json_object *end(struct run *r, int status, struct json_object **reply)
{
	const struct request_end e = {
		.task = r->task,
		.outcome = outcome_name(WIFSIGNALED(status)	   ? OUTCOME_KILLED
					: WEXITSTATUS(status) == 0 ? OUTCOME_OK
								   : OUTCOME_FAILED),
		.exit_code = WIFSIGNALED(status) ? -1 : WEXITSTATUS(status),
		.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
	};
	int err = end_once(r, &e, reply);

	if (err == -EPIPE || err == -ECONNRESET)
		err = end_again(r, &e, reply);
	if (err < 0)
		say("no verdict: the daemon went away: %s; the command's exit status is %d",
		    strerror(-err), exit_status(status));
	else if (!json_object_get_boolean(field(*reply, "ok")) || !field(*reply, "task"))
		say("no verdict: %s: %s; the command's exit status is %d",
		    field_str(*reply, "error"), field_str(*reply, "message"), exit_status(status));
	else
		return field(*reply, "task");
	return NULL;
}

static void say_exec_error(const struct run *r)
{
	int e;

	if (read(r->error, &e, sizeof(e)) == sizeof(e))
		say("%s: %s", r->cli->args[0], strerror(e));
}

static void print_verdict(const struct run *r, struct json_object *task)
{
	const struct cli *c = r->cli;
	_cleanup_free_ char *hint = NULL;
	struct render render;

	if (c->quiet)
		return;
	if (asprintf(&hint, "%s%s", c->db_named ? " --db " : "", c->db_named ? c->db : "") < 0)
		hint = NULL;
	render_init(&render, stderr, false);
	task_text_verdict(&render, task, hint ? hint : "");
}

/* The command has ended: names what it left, has it judged, shows and writes the verdict. */
static int finish(struct run *r, int status)
{
	_cleanup_json_ struct json_object *reply = NULL;
	struct json_object *task;
	int err;

	say_exec_error(r);
	leftover_say(field_str(r->begun, "cgroup"));
	task = end(r, status, &reply);
	if (!task)
		return EXIT_RUN_FAILED;
	print_verdict(r, task);
	if (r->cli->output) {
		err = output_write(r->cli->output, json_line(task));
		if (err < 0) {
			say("%s: %s; the command's exit status is %d", r->cli->output,
			    strerror(-err), exit_status(status));
			return EXIT_RUN_FAILED;
		}
	}
	return exit_status(status);
}

int cmd_run(struct cli *c)
{
	_cleanup_(run_clear) struct run r = { .cli = c, .go = -1, .error = -1 };
	_cleanup_free_ char *reason = NULL;
	int err;

	/* Better known before the command has run for an hour. */
	err = c->output ? output_check(c->output) : 0;
	if (err < 0) {
		say("%s: %s", c->output, strerror(-err));
		return EXIT_RUN_FAILED;
	}
	r.task = c->task ? strdup(c->task) : default_name(c->args[0]);
	if (!r.task) {
		say("no memory, or no random numbers");
		return EXIT_RUN_FAILED;
	}
	hold_signals(&r);
	err = run_connect(c, &r.client, &reason);
	if (err < 0) {
		say("%s", reason ? reason : strerror(-err));
		return EXIT_RUN_FAILED;
	}
	err = fork_command(&r);
	if (err < 0) {
		say("cannot fork: %s", strerror(-err));
		return EXIT_RUN_FAILED;
	}
	if (begin(&r) < 0)
		return EXIT_RUN_FAILED;
	err = await_command(&r);
	if (err < 0) {
		say("cannot wait for the command: %s", strerror(-err));
		return EXIT_RUN_FAILED;
	}
	return finish(&r, err);
}
