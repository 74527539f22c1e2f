/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "../daemon/private.h"
#include "launch.h"
#include "cli.h"

#define READY_NS   (60 * NSEC_PER_SEC) /* the verifier takes seconds on a busy host */
#define LEAVE_NS   (15 * NSEC_PER_SEC) /* an old daemon that is on its way out */
#define ANSWER_SEC 10
#define LOG_MAX	   (256 * 1024)

/* What belongs to one private daemon: see private.h. */
struct place {
	char *db; /* absolute */
	char *socket;
	char *log;
	char *lock;
};

static void place_clear(struct place *p)
{
	free(p->db);
	free(p->socket);
	free(p->log);
	free(p->lock);
}

/* One spelling for one file, whether it exists or not. */
static char *absolute_path(const char *path)
{
	_cleanup_free_ char *parent = NULL, *directory = NULL;
	char *whole = realpath(path, NULL);
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;

	if (whole)
		return whole;
	parent = slash ? strndup(path, (size_t)(base - path)) : strdup(".");
	directory = parent ? realpath(parent, NULL) : NULL;
	/* The daemon makes a missing directory. */
	if (!directory && *path == '/')
		return strdup(path);
	if (!directory) {
		directory = realpath(".", NULL);
		base = path;
	}
	if (!directory || asprintf(&whole, "%s/%s", directory[1] ? directory : "", base) < 0)
		return NULL;
	return whole;
}

/* FNV-1a: short names for long paths (a socket's is bound to 107 bytes). */
static uint64_t hash_path(const char *s)
{
	uint64_t h = 0xcbf29ce484222325ULL;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3ULL;
	return h;
}

static int place_init(struct place *p, const char *db)
{
	p->db = absolute_path(db);
	if (!p->db) /* no memory, or no working directory */
		return errno == ENOENT ? -ENOENT : -ENOMEM;
	if (asprintf(&p->socket, "%s/private-%016llx.sock", LAUNCH_DIRECTORY,
		     (unsigned long long)hash_path(p->db)) < 0) {
		p->socket = NULL;
		return -ENOMEM;
	}
	p->log = private_file(p->socket, "log");
	p->lock = private_file(p->socket, "lock");
	return p->log && p->lock ? 0 : -ENOMEM;
}

int launch_socket(const char *db, char **ret)
{
	_cleanup_(place_clear) struct place p = { 0 };
	int r = place_init(&p, db);

	if (r == 0)
		*ret = TAKE_PTR(p.socket);
	return r;
}

/* 0: none. */
static void set_timeout(struct client *client, time_t sec)
{
	const struct timeval t = { .tv_sec = sec };

	setsockopt(client_fd(client), SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t));
}

/* Connects and has the daemon answer: one that is about to leave may still accept. */
static int connect_answered(const char *path, struct client **ret)
{
	_cleanup_client_ struct client *client = NULL;
	_cleanup_json_ struct json_object *request = json_object_new_object(), *reply = NULL;
	int r = client_connect(&client, path);

	if (r < 0)
		return r;
	json_object_object_add(request, "op", json_object_new_string("status"));
	/* Others wait for our lock meanwhile: one that hangs must not hang them all. */
	set_timeout(client, ANSWER_SEC);
	r = client_call(client, request, &reply);
	if (r < 0)
		return r;
	set_timeout(client, 0);
	*ret = TAKE_PTR(client);
	return 0;
}

static _printf_(3, 4) int fail(int r, char **reason, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(reason, fmt, ap) < 0)
		*reason = NULL;
	va_end(ap);
	return r;
}

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * NSEC_PER_MSEC }, NULL);
}

static int open_log(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);

	return fd < 0 ? -errno : fd;
}

/* Waits until the process that held this lock is gone: it removes its socket on its way out, and
 * would take its successor's for its own. */
static void await_leave(int log)
{
	int64_t deadline = util_now_boottime() + LEAVE_NS;

	while (flock(log, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK &&
	       util_now_boottime() < deadline)
		pause_ms(10);
}

char *launch_binary(void)
{
	const char *named = getenv("SANDFAULTD");
	char self[PATH_MAX], *beside = NULL, *slash;
	ssize_t n;

	if (named && *named)
		return strdup(named);
	n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (n > 0) {
		self[n] = '\0';
		slash = strrchr(self, '/');
		if (slash && asprintf(&beside, "%.*s/sandfaultd", (int)(slash - self), self) > 0 &&
		    access(beside, X_OK) == 0)
			return beside;
		free(beside);
	}
	return strdup("sandfaultd");
}

/* In the child: becomes the daemon. `log` keeps its lock as stderr. */
static _Noreturn void become_daemon(const char *binary, const struct place *p, int ready, int log)
{
	int null = open("/dev/null", O_RDWR);
	char number[16];
	sigset_t none;

	setsid();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	umask(022);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(log, STDERR_FILENO);
	fcntl(ready, F_SETFD, 0);
	unsetenv("JOURNAL_STREAM");
	snprintf(number, sizeof(number), "%d", ready);
	execlp(binary, "sandfaultd", "--private", "--db", p->db, "--socket", p->socket,
	       "--ready-fd", number, (char *)NULL);
	dprintf(STDERR_FILENO, "cannot execute %s: %s\n", binary, strerror(errno));
	_exit(EXIT_NOT_FOUND);
}

/* The last line that the daemon logged, without its own name; owned. */
static char *last_logged(const struct place *p)
{
	static const char own[] = "sandfaultd: ";
	_cleanup_free_ char *text = NULL;
	char *line;
	ssize_t n = util_read_file(p->log, LOG_MAX, &text);

	while (n > 0 && text[n - 1] == '\n')
		text[--n] = '\0';
	if (n <= 0)
		return strdup("it said nothing");
	line = strrchr(text, '\n');
	line = line ? line + 1 : text;
	if (strncmp(line, own, strlen(own)) == 0)
		line += strlen(own);
	return strdup(line);
}

/* Waits for the daemon to say that it is ready. 0, -ETIMEDOUT, or -ECHILD: it left. */
static int await_ready(int fd)
{
	int64_t deadline = util_now_boottime() + READY_NS;
	char c;

	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		int64_t left = deadline - util_now_boottime();
		ssize_t n;

		if (left <= 0)
			return -ETIMEDOUT;
		if (poll(&p, 1, (int)(left / NSEC_PER_MSEC) + 1) <= 0)
			continue;
		n = read(fd, &c, 1);
		if (n == 1)
			return 0;
		if (n == 0)
			return -ECHILD;
	}
}

static int start_daemon(const struct place *p, int log, char **reason)
{
	_cleanup_free_ char *binary = launch_binary(), *line = NULL;
	_cleanup_close_ int ready = -1, ready_end = -1;
	int pipes[2], r;
	pid_t pid;

	if (!binary || pipe2(pipes, O_CLOEXEC) < 0)
		return fail(-ENOMEM, reason, "cannot start a private daemon: %s", strerror(errno));
	ready = pipes[0];
	ready_end = pipes[1];
	if (ftruncate(log, 0) < 0)
		return fail(-errno, reason, "%s: %s", p->log, strerror(errno));
	pid = fork();
	if (pid < 0)
		return fail(-errno, reason, "cannot start a private daemon: %s", strerror(errno));
	if (pid == 0)
		become_daemon(binary, p, ready_end, log);
	close(TAKE_FD(ready_end));
	r = await_ready(ready);
	if (r == 0)
		return 0;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	line = last_logged(p);
	return fail(r, reason, "the private daemon did not start: %s%s",
		    r == -ETIMEDOUT ? "no sign of life in a minute; last: " : "", line ? line : "");
}

int launch_connect(const char *db, struct client **ret, char **reason)
{
	_cleanup_(place_clear) struct place p = { 0 };
	_cleanup_close_ int lock = -1, log = -1;
	int r;

	if (geteuid() != 0)
		return fail(-EPERM, reason,
			    "no daemon runs, and a private one needs root: run this as root, or "
			    "start the daemon as root: sandfaultd");
	r = place_init(&p, db);
	if (r < 0)
		return fail(r, reason, "%s: %s", db, strerror(-r));
	if (mkdir(LAUNCH_DIRECTORY, 0755) == 0)
		chmod(LAUNCH_DIRECTORY, 0755); /* whatever the umask */
	else if (errno != EEXIST)
		return fail(-errno, reason, "%s: %s", LAUNCH_DIRECTORY, strerror(errno));
	lock = private_lock(p.lock);
	if (lock < 0)
		return fail(lock, reason, "%s: %s", p.lock, strerror(-lock));
	if (connect_answered(p.socket, ret) == 0)
		return 0;
	log = open_log(p.log);
	if (log < 0)
		return fail(log, reason, "%s: %s", p.log, strerror(-log));
	await_leave(log);
	r = start_daemon(&p, log, reason);
	if (r < 0) {
		unlink(p.log);
		unlink(p.lock);
		return r;
	}
	r = connect_answered(p.socket, ret);
	if (r < 0)
		return fail(r, reason, "the private daemon does not answer at %s: %s", p.socket,
			    strerror(-r));
	return 0;
}
