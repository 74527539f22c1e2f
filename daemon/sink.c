/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "log.h"
#include "sink.h"

#define RUNNING_MAX 4
#define QUEUE_MAX   16
#define LOG_LINES   50	      /* logged of one command's output */
#define OUTPUT_MAX  (1 << 20) /* bytes of output, then it is killed */
#define KILL_NS	    (2 * NSEC_PER_SEC)
#define DEATH_TRIES 100

struct run {
	struct sink *sink;
	struct run *next;
	char *command;
	pid_t pid;
	int out; /* its stdout and stderr */
	struct loop_source *out_source, *child, *timer;
	size_t bytes, lines;
	char line[512];
	size_t len;
	bool termed;	   /* SIGTERM was sent */
	const char *fault; /* why we killed it */
};

struct sink {
	struct loop *loop;
	char *command; /* NULL: off */
	int64_t timeout_ns;
	struct run *running;
	size_t n_running;
	char *queue[QUEUE_MAX];
	size_t n_queue;
	uint64_t dropped, failed;
};

static void start_next(struct sink *s);

int sink_new(struct sink **ret, struct loop *l, const char *command, int64_t timeout_ns)
{
	struct sink *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->loop = l;
	s->timeout_ns = timeout_ns;
	if (command) {
		s->command = strdup(command);
		if (!s->command) {
			free(s);
			return -ENOMEM;
		}
	}
	*ret = s;
	return 0;
}

static void drop_queue(struct sink *s)
{
	for (size_t i = 0; i < s->n_queue; i++)
		free(s->queue[i]);
	s->dropped += s->n_queue;
	s->n_queue = 0;
}

void sink_set(struct sink *s, const char *command, int64_t timeout_ns)
{
	char *copy = command ? strdup(command) : NULL;

	s->timeout_ns = timeout_ns;
	if (command && !copy) {
		log_error("no memory: the alert command stays as it was");
		return;
	}
	free(s->command);
	s->command = copy;
	if (!copy)
		drop_queue(s);
}

static void log_line(struct run *r)
{
	if (r->lines < LOG_LINES)
		log_info("%s: %.*s", r->command, (int)r->len, r->line);
	else if (r->lines == LOG_LINES)
		log_warning("%s: further output is not logged", r->command);
	r->lines++;
	r->len = 0;
}

static void log_output(struct run *r, const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (data[i] == '\n' || r->len == sizeof(r->line))
			log_line(r);
		/* A NUL would end the line in printf. */
		if (data[i] != '\n')
			r->line[r->len++] = data[i] ? data[i] : ' ';
	}
}

static void close_output(struct run *r)
{
	loop_remove(r->out_source);
	r->out_source = NULL;
	if (r->out >= 0)
		close(TAKE_FD(r->out));
}

static void kill_group(const struct run *r, int sig)
{
	/* The group is there from start() on. Its number can't be taken by others while one of its
	 * members lives; without any, ESRCH. */
	if (kill(-r->pid, sig) < 0 && errno != ESRCH)
		log_warning("cannot kill %s: %s", r->command, strerror(errno));
}

static void stop(struct run *r, const char *fault)
{
	if (r->termed)
		return;
	r->termed = true;
	r->fault = fault;
	kill_group(r, SIGTERM);
	loop_rearm_timer(r->timer, KILL_NS, 0);
}

/* Reads what is there; false: the end, or nobody wants more. */
static bool read_output(struct run *r)
{
	char buf[4096];
	ssize_t n = read(r->out, buf, sizeof(buf));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return errno == EINTR;
	if (n <= 0) {
		close_output(r);
		return false;
	}
	log_output(r, buf, (size_t)n);
	r->bytes += (size_t)n;
	if (r->bytes <= OUTPUT_MAX)
		return true;
	close_output(r);
	stop(r, "wrote more than 1 MiB");
	return false;
}

static void on_output(int fd, uint32_t events, void *arg)
{
	read_output(arg);
}

static void on_timer(void *arg)
{
	struct run *r = arg;

	if (r->termed)
		kill_group(r, SIGKILL);
	else
		stop(r, "took too long");
}

static void unlink_run(struct run *r)
{
	struct sink *s = r->sink;
	struct run **p = &s->running;

	while (*p != r)
		p = &(*p)->next;
	*p = r->next;
	s->n_running--;
}

static void free_run(struct run *r)
{
	close_output(r);
	loop_remove(r->child);
	loop_remove(r->timer);
	free(r->command);
	free(r);
}

static void judge_exit(struct run *r, int status)
{
	if (r->fault)
		log_error("the alert command %s %s and was killed", r->command, r->fault);
	else if (WIFSIGNALED(status))
		log_error("the alert command %s died by signal %d", r->command, WTERMSIG(status));
	else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		log_error("the alert command %s exited with %d", r->command,
			  WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	else
		return;
	r->sink->failed++;
}

static void on_exit_of(pid_t pid, int status, void *arg)
{
	struct run *r = arg;
	struct sink *s = r->sink;

	/* What it left behind when we stopped it goes too; what a good run left is its own affair. */
	if (r->termed)
		kill_group(r, SIGKILL);
	while (r->out >= 0 && r->bytes <= OUTPUT_MAX && read_output(r))
		;
	if (r->len)
		log_line(r);
	judge_exit(r, status);
	unlink_run(r);
	free_run(r);
	start_next(s);
}

/* The JSON as a file of its own: the command reads it as it likes, or not, and nobody waits. */
static int input_of(const char *json)
{
	_cleanup_close_ int fd = memfd_create("sandfault-alert", MFD_CLOEXEC);
	size_t len = strlen(json);
	char path[48];
	int ro;

	if (fd < 0)
		return -errno;
	for (size_t at = 0; at < len;) {
		ssize_t n = write(fd, json + at, len - at);

		if (n < 0)
			return -errno;
		at += (size_t)n;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ro = open(path, O_RDONLY | O_CLOEXEC);
	return ro < 0 ? -errno : ro;
}

static void close_from(int first)
{
#ifdef SYS_close_range
	if (syscall(SYS_close_range, first, ~0U, 0) == 0)
		return;
#endif
	/* Before 5.9: our own descriptors are far below this. */
	for (int fd = first; fd < 65536; fd++)
		close(fd);
}

/* In the child: async-signal-safe calls only. */
__attribute__((noreturn)) static void become(const char *command, int in, int out)
{
	char *const argv[] = { (char *)command, NULL };
	char *const envp[] = {
		(char *)"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", NULL
	};
	static const char failed[] = "cannot execute: ";
	struct sigaction dfl = { .sa_handler = SIG_DFL };
	const char *why;
	sigset_t none;

	setpgid(0, 0);
	for (int sig = 1; sig < _NSIG; sig++)
		sigaction(sig, &dfl, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* in and out are above 2, see start(). */
	if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0 || chdir("/") < 0)
		_exit(127);
	close_from(3);
	execve(command, argv, envp);
	why = strerrordesc_np(errno); /* safe here, strerror() is not */
	if (write(2, failed, sizeof(failed) - 1) > 0 && why && write(2, why, strlen(why)) > 0)
		_exit(127);
	_exit(127);
}

/* Moves a descriptor out of the way of 0, 1 and 2. */
static int above_stdio(int *fd)
{
	int high;

	if (*fd > 2)
		return 0;
	high = fcntl(*fd, F_DUPFD_CLOEXEC, 3);
	if (high < 0)
		return -errno;
	close(*fd);
	*fd = high;
	return 0;
}

static int watch_run(struct run *r, int64_t timeout_ns)
{
	struct loop *l = r->sink->loop;
	int ret = loop_add_child(l, r->pid, on_exit_of, r, &r->child);

	if (ret == 0)
		ret = loop_add_timer(l, timeout_ns, 0, on_timer, r, &r->timer);
	if (ret == 0)
		ret = loop_add_fd(l, r->out, EPOLLIN, on_output, r, &r->out_source);
	return ret;
}

/* Kills and reaps at once. A process in an uninterruptible sleep is left to init after a second:
 * the daemon must not hang on it. */
static void put_down(struct run *r)
{
	kill_group(r, SIGKILL);
	for (int i = 0; i < DEATH_TRIES && waitpid(r->pid, NULL, WNOHANG) == 0; i++)
		usleep(10000);
}

static int start(struct sink *s, const char *json)
{
	_cleanup_close_ int in = input_of(json);
	_cleanup_close_ int out = -1;
	struct run *r;
	int pipe_fds[2], ret;

	if (in < 0)
		return in;
	if (pipe2(pipe_fds, O_CLOEXEC) < 0)
		return -errno;
	out = pipe_fds[1];
	r = calloc(1, sizeof(*r));
	if (r)
		*r = (struct run){ .sink = s, .out = pipe_fds[0], .command = strdup(s->command) };
	if (!r || !r->command || above_stdio(&in) < 0 || above_stdio(&out) < 0) {
		close(pipe_fds[0]);
		if (r)
			free(r->command);
		free(r);
		return -ENOMEM;
	}
	fcntl(r->out, F_SETFL, O_NONBLOCK);
	r->pid = fork();
	if (r->pid == 0)
		become(r->command, in, out);
	ret = r->pid < 0 ? -errno : 0;
	if (ret == 0) {
		setpgid(r->pid, r->pid); /* both do: whoever comes first */
		ret = watch_run(r, s->timeout_ns);
		if (ret < 0)
			put_down(r);
	}
	if (ret < 0) {
		free_run(r);
		return ret;
	}
	r->next = s->running;
	s->running = r;
	s->n_running++;
	return 0;
}

static int start_counted(struct sink *s, const char *json)
{
	int r = start(s, json);

	if (r < 0) {
		s->failed++;
		log_errno(r, "cannot start the alert command %s", s->command);
	}
	return r;
}

static void start_next(struct sink *s)
{
	while (s->command && s->n_queue && s->n_running < RUNNING_MAX) {
		_cleanup_free_ char *json = s->queue[0];

		memmove(s->queue, s->queue + 1, --s->n_queue * sizeof(*s->queue));
		start_counted(s, json);
	}
}

int sink_send(struct sink *s, const char *json)
{
	char *copy;

	if (!s->command)
		return -ENOENT;
	if (s->n_running < RUNNING_MAX)
		return start_counted(s, json);
	copy = s->n_queue < QUEUE_MAX ? strdup(json) : NULL;
	if (!copy) {
		s->dropped++;
		log_warning("an alert is not handed on: %d commands run, %d wait", RUNNING_MAX,
			    QUEUE_MAX);
		return -EBUSY;
	}
	s->queue[s->n_queue++] = copy;
	return 0;
}

void sink_free(struct sink *s)
{
	if (!s)
		return;
	while (s->running) {
		struct run *r = s->running;

		put_down(r);
		unlink_run(r);
		free_run(r);
	}
	drop_queue(s);
	free(s->command);
	free(s);
}

uint64_t sink_dropped(const struct sink *s)
{
	return s->dropped;
}

uint64_t sink_failed(const struct sink *s)
{
	return s->failed;
}
