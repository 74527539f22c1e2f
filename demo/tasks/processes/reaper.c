/* SPDX-License-Identifier: GPL-2.0-only */
/* Becomes the reaper of its grandchildren and collects every one of them with its status. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 6, GRANDCHILDREN = 4 };

static void child(int c)
{
	for (int g = 0; g < GRANDCHILDREN; g++) {
		pid_t pid = fork();

		if (pid < 0)
			_exit(255);
		if (!pid)
			_exit(10 * c + g);
	}
	_exit(100 + c);
}

int main(void)
{
	int seen[256] = { 0 };
	int all = 0, status;

	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		return perror("prctl"), 1;
	for (int c = 0; c < CHILDREN; c++) {
		pid_t pid = fork();

		if (pid < 0)
			return perror("fork"), 1;
		if (!pid)
			child(c);
	}
	while (wait(&status) > 0) {
		if (!WIFEXITED(status) || seen[WEXITSTATUS(status)]++)
			return fprintf(stderr, "status %x\n", (unsigned int)status), 1;
		all++;
	}
	if (errno != ECHILD || all != CHILDREN * (1 + GRANDCHILDREN))
		return fprintf(stderr, "only %d were collected\n", all), 1;
	printf("reaper: %d processes collected\n", all);
	return 0;
}
