/* SPDX-License-Identifier: GPL-2.0-only */
/* filter SYSCALL…: writes to stdout a filter that answers these with EPERM, for bwrap --seccomp. */
#include <errno.h>
#include <seccomp.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);

	for (int i = 1; filter && i < argc; i++)
		if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM),
				     seccomp_syscall_resolve_name(argv[i]), 0)) {
			fprintf(stderr, "filter: no such system call: %s\n", argv[i]);
			return 1;
		}
	return !filter || seccomp_export_bpf(filter, STDOUT_FILENO) ? 1 : 0;
}
