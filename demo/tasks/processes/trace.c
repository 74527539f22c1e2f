/* SPDX-License-Identifier: GPL-2.0-only */
/* A tiny tracer: its child stops at each syscall, and the parent counts and looks at them. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static int child(int n)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		return perror("ptrace"), 1;
	raise(SIGSTOP);
	for (int i = 0; i < n; i++)
		getppid();
	return 0;
}

int main(int argc, char **argv)
{
	int n = 10 + (argc > 1 ? atoi(argv[1]) : 0);
	int status, stops = 0;
	pid_t pid = fork();

	if (pid < 0)
		return perror("fork"), 1;
	if (!pid)
		_exit(child(n));
	if (waitpid(pid, &status, 0) != pid)
		return perror("waitpid"), 1;
	while (WIFSTOPPED(status)) {
		int sig = WSTOPSIG(status) == SIGTRAP || WSTOPSIG(status) == SIGSTOP
				  ? 0
				  : WSTOPSIG(status);

		if (ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(long)sig))
			return perror("ptrace"), 1;
		if (waitpid(pid, &status, 0) != pid)
			return perror("waitpid"), 1;
		stops += WIFSTOPPED(status);
	}
	if (WIFSIGNALED(status)) {
		fprintf(stderr, "child ended by signal %d\n", WTERMSIG(status));
		return 128 + WTERMSIG(status);
	}
	printf("trace: %d stops\n", stops);
	return stops >= 2 * n && WEXITSTATUS(status) == 0 ? 0 : 1;
}
