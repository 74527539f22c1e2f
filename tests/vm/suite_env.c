/* SPDX-License-Identifier: GPL-2.0-only */
/* Files and processes: all that the suite makes lies below one directory and goes with it. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "suite.h"

char work_dir[PATH_MAX], suite_dir[PATH_MAX], actor_path[PATH_MAX];

static void die(const char *what)
{
	printf("not ok suite: %s: %s\n0 passed, 1 failed, 0 skipped\n", what, strerror(errno));
	exit(1);
}

void path_set(char ret[PATH_MAX], const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(ret, PATH_MAX, fmt, ap);
	va_end(ap);
	errno = ENAMETOOLONG;
	if (n >= PATH_MAX)
		die(ret);
}

static void find_helpers(void)
{
	ssize_t n = readlink("/proc/self/exe", suite_dir, sizeof(suite_dir) - 1);

	if (n < 0)
		die("/proc/self/exe");
	suite_dir[n] = '\0';
	*strrchr(suite_dir, '/') = '\0';
}

/* The actor is copied: every user must be able to run it, and the build may lie in a closed place. */
static void copy_actor(const char *name)
{
	char from[PATH_MAX], to[PATH_MAX], buf[1 << 16];
	_cleanup_close_ int in = -1, out = -1;
	ssize_t n;

	path_set(from, "%s/%s", suite_dir, name);
	path_set(to, "%s/%s", work_dir, name);
	in = open(from, O_RDONLY | O_CLOEXEC);
	if (in < 0 && errno == ENOENT)
		return;
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	if (in < 0 || out < 0)
		die(from);
	while ((n = read(in, buf, sizeof(buf))) > 0)
		if (write(out, buf, (size_t)n) != n)
			die(to);
}

void env_setup(void)
{
	umask(022);
	find_helpers();
	path_set(work_dir, "/tmp/sandfault-suite-XXXXXX");
	if (!mkdtemp(work_dir) || chmod(work_dir, 0755) < 0)
		die(work_dir);
	path_set(actor_path, "%s/actor", work_dir);
	copy_actor("actor");
	copy_actor("actor32");
	if (access(actor_path, X_OK) < 0)
		die(actor_path);
	cgroups_setup();
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	remove(path);
	return 0;
}

void env_clean(void)
{
	cgroups_clean();
	nftw(work_dir, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

static const char *placeholder(const struct run *t, char c)
{
	switch (c) {
	case 'W':
		return work_dir;
	case 'D':
		return t->dir;
	case 'A':
		return actor_path;
	case 'S':
		return suite_dir;
	case 'N':
		return t->test->name;
	case '%':
		return "%";
	default:
		abort();
	}
}

char *expand(const struct run *t, const char *text)
{
	char *ret = NULL;
	size_t len;
	FILE *f = open_memstream(&ret, &len);

	if (!f)
		abort();
	for (; *text; text++)
		if (*text == '%')
			fputs(placeholder(t, *++text), f);
		else
			fputc(*text, f);
	fclose(f);
	return ret;
}

char *read_all(const char *path)
{
	char *text = NULL;

	if (util_read_file(path, 1 << 20, &text) < 0)
		text = strdup("");
	if (!text)
		abort();
	return text;
}

int64_t read_number(const char *path)
{
	_cleanup_free_ char *text = read_all(path);

	return *text ? strtoll(text, NULL, 10) : -1;
}

char **split(const char *words)
{
	char *copy = strdup(words), *save = NULL,
	     **argv = calloc(strlen(words) / 2 + 2, sizeof(*argv));
	size_t n = 0;

	if (!copy || !argv)
		abort();
	for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[n++] = w;
	if (!n)
		abort();
	return argv;
}

void split_free(char ***argv)
{
	if (*argv)
		free(**argv); /* the first word is where the copy begins */
	free(*argv);
}

/* A descriptor that is open for writing when another thread forks lives on in the child for a while, and
 * "Text file busy" is what exec(2) says of that file: nobody forks while one writes, and fork_alone()
 * comes back when the child has let go of what is not its own. */
static pthread_mutex_t forking = PTHREAD_MUTEX_INITIALIZER;

pid_t fork_alone(void)
{
	int barrier[2];
	pid_t pid;
	char c;

	if (pipe2(barrier, O_CLOEXEC) < 0)
		die("pipe");
	pthread_mutex_lock(&forking);
	pid = fork();
	if (pid == 0)
		return 0;
	close(barrier[1]);
	while (pid > 0 && read(barrier[0], &c, 1) < 0 && errno == EINTR)
		;
	pthread_mutex_unlock(&forking);
	close(barrier[0]);
	if (pid < 0)
		die("fork");
	return pid;
}

void write_bytes(struct run *t, const char *path, int mode, const void *data, size_t len)
{
	_cleanup_free_ char *name = expand(t, path);
	bool good;
	int fd;

	pthread_mutex_lock(&forking);
	fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, mode);
	good = fd >= 0 && write(fd, data, len) == (ssize_t)len && fchmod(fd, (mode_t)mode) == 0;
	check(t, good, "%s: %s", name, strerror(errno));
	t->checks--;
	if (fd >= 0)
		close(fd);
	pthread_mutex_unlock(&forking);
}

void write_file(struct run *t, const char *path, int mode, const char *text)
{
	write_bytes(t, path, mode, text, strlen(text));
}

/* In the child, after fork(2) of a process with threads: nothing but system calls. */
static void child_become(const char *const *procs, const int fds[3], char *const argv[])
{
	sigset_t none;
	char go;

	for (; procs && *procs; procs++) {
		int fd = open(*procs, O_WRONLY | O_CLOEXEC);

		if (fd < 0 || write(fd, "0", 1) != 1)
			_exit(97);
	}
	for (int i = 0; i < 3; i++)
		if (dup2(fds[i], i) < 0)
			_exit(98);
	if (syscall(SYS_close_range, 3, ~0U, 0) < 0)
		_exit(95);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (read(0, &go, 1) != 1)
		_exit(96);
	execvp(argv[0], argv);
	_exit(127);
}

/* "DIRECTORY/cgroup.procs" of each. */
static char **procs_of(const char *const *cgroups)
{
	char **list = calloc(8, sizeof(*list));

	if (!list)
		abort();
	for (size_t i = 0; cgroups && cgroups[i]; i++)
		if (asprintf(&list[i], "%s/cgroup.procs", cgroups[i]) < 0)
			abort();
	return list;
}

int child_start(struct run *t, struct child *c, const char *name, const char *const *cgroups,
		char *const argv[])
{
	_cleanup_close_ int in = -1, out = -1, err = -1;
	char path[PATH_MAX];
	char **procs = procs_of(cgroups);
	int go[2];

	snprintf(c->name, sizeof(c->name), "%s", name);
	path_set(path, "%s/%s.out", t->dir, name);
	out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	path_set(path, "%s/%s.err", t->dir, name);
	err = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (out < 0 || err < 0 || pipe2(go, O_CLOEXEC) < 0)
		die(path);
	in = go[0];
	c->go = go[1];
	c->pid = fork_alone();
	if (c->pid == 0)
		child_become((const char *const *)procs, (int[]){ in, out, err }, argv);
	for (size_t i = 0; procs[i]; i++)
		free(procs[i]);
	free(procs);
	return 0;
}

void child_go(struct child *c)
{
	if (write(c->go, "g", 1) != 1)
		return; /* it is gone: its status tells */
}

bool child_ended(const struct child *c)
{
	siginfo_t si = { 0 };

	return waitid(P_PID, (id_t)c->pid, &si, WEXITED | WNOHANG | WNOWAIT) < 0 || si.si_pid;
}

int child_wait(struct child *c)
{
	_cleanup_close_ int fd = (int)syscall(SYS_pidfd_open, c->pid, 0);
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int status, r = poll(&p, 1, DEADLINE * 1000);

	if (r == 0)
		kill(c->pid, SIGKILL);
	if (waitpid(c->pid, &status, 0) < 0)
		status = -errno;
	if (c->go >= 0)
		close(c->go);
	c->go = -1;
	return r == 0 ? -ETIMEDOUT : status;
}

bool wait_until(bool (*condition)(void *arg), void *arg)
{
	int64_t end = util_now_boottime() + DEADLINE * NSEC_PER_SEC;

	while (!condition(arg)) {
		if (util_now_boottime() > end)
			return false;
		poll(NULL, 0, 10);
	}
	return true;
}
