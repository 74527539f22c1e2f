/* SPDX-License-Identifier: GPL-2.0-only */
/* The helper process: reads a request, looks, answers, holds nothing. */
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "ahead.h"
#include "explain_helper.h"

#define NICE	(-10) /* what it is asked for vanishes while it waits */
#define FDS_MAX 64

/* Everything but stderr, the socket and one more: a copy of the daemon's descriptors would keep its
 * database, its rings and its own socket open. */
static int keep_only(int sock, int more)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0)
		return -errno;
	/* Out of the way first: either may stand where the other is to be. */
	sock = fcntl(sock, F_DUPFD_CLOEXEC, HELPER_KEPT_FD + 1);
	if (more >= 0)
		more = fcntl(more, F_DUPFD_CLOEXEC, HELPER_KEPT_FD + 1);
	if (sock < 0 || dup3(sock, HELPER_SOCK_FD, O_CLOEXEC) < 0)
		return -errno;
	if (more < 0) /* none was asked for, or it can't be had: then its reader will say so */
		return syscall(SYS_close_range, HELPER_KEPT_FD, ~0U, 0) < 0 ? -errno : 0;
	if (dup3(more, HELPER_KEPT_FD, O_CLOEXEC) < 0)
		return -errno;
	return syscall(SYS_close_range, HELPER_KEPT_FD + 1, ~0U, 0) < 0 ? -errno : 0;
}

/* CAP_SYS_PTRACE opens /proc/PID/root, CAP_DAC_READ_SEARCH looks through it. Without privilege
 * there is nothing to drop, and what it sees is what its user may see. */
static void drop_privilege(void)
{
	const cap_value_t kept[] = { CAP_SYS_PTRACE, CAP_DAC_READ_SEARCH };
	cap_t caps = cap_init();

	for (size_t i = 0; caps && i < ARRAY_SIZE(kept); i++) {
		cap_set_flag(caps, CAP_PERMITTED, 1, &kept[i], CAP_SET);
		cap_set_flag(caps, CAP_EFFECTIVE, 1, &kept[i], CAP_SET);
	}
	if (caps)
		cap_set_proc(caps);
	cap_free(caps);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static void limit(int resource, rlim_t value)
{
	const struct rlimit lim = { value, value };

	setrlimit(resource, &lim);
}

/* The daemon's end is ours, by the socket and by PR_SET_PDEATHSIG; a signal to the whole group or
 * unit is the daemon's to answer. */
static void ignore_signals(void)
{
	static const int ignored[] = {
		SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2
	};
	sigset_t none;

	for (size_t i = 0; i < ARRAY_SIZE(ignored); i++)
		signal(ignored[i], SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static bool receive(struct helper_request *q)
{
	const ssize_t head = offsetof(struct helper_request, r.path);
	ssize_t n;

	do {
		n = recv(HELPER_SOCK_FD, q, sizeof(*q), 0);
	} while (n < 0 && errno == EINTR);
	if (n <= head)
		return false;
	((char *)q)[n - 1] = '\0';
	return true;
}

_Noreturn static void serve(void)
{
	static struct helper_request q;
	static struct helper_answer a;
	ssize_t n;

	while (receive(&q)) {
		a.seq = q.seq;
		explain_path("/proc", &q.r, &a.e);
		do {
			n = send(HELPER_SOCK_FD, &a, sizeof(a), MSG_NOSIGNAL);
		} while (n < 0 && errno == EINTR);
		if (n < 0)
			break;
	}
	_exit(0);
}

void helper_confine(void)
{
	drop_privilege();
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, 0);
	limit(RLIMIT_NOFILE, FDS_MAX);
}

pid_t helper_fork(const char *name, int keep, int *ret_fd)
{
	const pid_t parent = getpid();
	int socks[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, socks) < 0)
		return -errno;
	pid = fork();
	if (pid < 0) {
		pid = -errno;
		close(socks[0]);
		close(socks[1]);
		return pid;
	}
	if (pid > 0) {
		close(socks[1]);
		*ret_fd = socks[0];
		return pid;
	}
	prctl(PR_SET_NAME, name);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || keep_only(socks[1], keep) < 0)
		_exit(1);
	ignore_signals();
	util_be_prompt(NICE);
	return 0;
}

pid_t helper_start(int *ret_fd)
{
	pid_t pid = helper_fork("sandfault-expl", -1, ret_fd);

	if (pid != 0)
		return pid;
	ahead_begin();
	helper_confine();
	serve();
}
