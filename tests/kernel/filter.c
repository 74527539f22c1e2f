// SPDX-License-Identifier: GPL-2.0-only
/*
 * filter ACTION SYSCALL[,SYSCALL…] COMMAND…: runs the command under a seccomp filter. ACTION is
 * kill, kill-thread, trap, allow, or the number of an errno (0: success is faked).
 */
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint32_t action(const char *s)
{
	if (!strcmp(s, "kill"))
		return SCMP_ACT_KILL_PROCESS;
	if (!strcmp(s, "kill-thread"))
		return SCMP_ACT_KILL_THREAD;
	if (!strcmp(s, "trap"))
		return SCMP_ACT_TRAP;
	if (!strcmp(s, "allow"))
		return SCMP_ACT_LOG; /* a rule must differ from the default */
	return SCMP_ACT_ERRNO(atoi(s));
}

int main(int argc, char **argv)
{
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_ALLOW);

	if (argc < 4 || !f)
		return 2;
	for (char *name = strtok(argv[2], ","); name; name = strtok(NULL, ",")) {
		int r = seccomp_rule_add(f, action(argv[1]), seccomp_syscall_resolve_name(name), 0);

		if (r < 0) {
			fprintf(stderr, "filter: %s: %s\n", name, strerror(-r));
			return 77;
		}
	}
	if (seccomp_load(f) < 0)
		return 77;
	execvp(argv[3], argv + 3);
	perror(argv[3]);
	return 127;
}
