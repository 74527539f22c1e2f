/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What /proc says of processes that were there before the kernel programs, or before their task.
 * `root` is /proc, or a fixture. 0 or -errno; nothing is logged.
 */
#ifndef SANDFAULT_PROCFS_H
#define SANDFAULT_PROCFS_H

#include <sys/types.h>

#include "../bpf/event.h"
#include "util.h"

struct procfs_info {
	pid_t pid, ppid;
	char comm[SF_COMM];
	char exe[512]; /* cut at the end; empty: not readable (a kernel thread) */
	uid_t uid;     /* effective, as the directory's owner */
	uint32_t mntns;
};

/* -ESRCH: there is none, or it has ended and only waits to be reaped. */
int procfs_read(const char *root, pid_t pid, struct procfs_info *ret);
/* The number of a namespace ("mnt", "net"); 0: not known. */
uint32_t procfs_namespace(const char *root, pid_t pid, const char *kind);
/* Its cgroup v2 path; *ret is owned. */
int procfs_cgroup(const char *root, pid_t pid, char **ret);
/* Its descendants, parents first. *ret is owned. */
int procfs_descendants(const char *root, pid_t pid, pid_t **ret, size_t *n);

#endif
