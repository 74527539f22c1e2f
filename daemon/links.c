/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "links.h"
#include "util.h"

#define HIGH 512 /* above every other descriptor that is open when the daemon ends */

/* Forked, not executed: nothing but system calls. What the daemon held goes at once, its locks and
 * sockets are not to outlive it; the links go with the process. */
_Noreturn static void bury(const int *fds, size_t n)
{
	setsid();
	for (size_t i = 0; i < n; i++)
		fcntl(fds[i], F_DUPFD_CLOEXEC, HIGH);
	syscall(SYS_close_range, 0, HIGH - 1, 0);
	_exit(0);
}

void links_leave(const int *fds, size_t n)
{
	sigset_t all, old;
	pid_t pid;

	if (n == 0)
		return;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	pid = fork();
	if (pid == 0)
		bury(fds, n);
	sigprocmask(SIG_SETMASK, &old, NULL);
	for (size_t i = 0; i < n; i++)
		close(fds[i]);
}
