/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cgroup v2 tree, on a pure or a hybrid host. Paths are from its root, with a leading slash.
 * All functions return 0 (or a count) or -errno and log nothing.
 */
#ifndef SANDFAULT_CGROUPFS_H
#define SANDFAULT_CGROUPFS_H

#include <sys/types.h>

#include "util.h"

struct cgroupfs;

/* `root` NULL: the cgroup2 mount that PROC_ROOT/self/mountinfo names. -ENOENT: there is none. */
int cgroupfs_new(struct cgroupfs **ret, const char *proc_root, const char *root);
void cgroupfs_free(struct cgroupfs *c);
const char *cgroupfs_root(const struct cgroupfs *c);

/* From the root, or absolute below the mount, to the form from the root without "//" and a trailing
 * slash. -EINVAL: "." or ".." in it. */
int cgroupfs_normalize(const struct cgroupfs *c, const char *given, char **ret);
/* The kernel's id of it. -ENOENT: no such cgroup. */
int cgroupfs_id(const struct cgroupfs *c, const char *path, uint64_t *ret);
/* Makes it, and its parents where they are absent. -EEXIST: it is there already. */
int cgroupfs_make(const struct cgroupfs *c, const char *path);
int cgroupfs_remove(const struct cgroupfs *c, const char *path); /* -EBUSY: not empty */
/* The file that moves a process into it when its pid is written there: to be freed; NULL: no memory. */
char *cgroupfs_procs(const struct cgroupfs *c, const char *path);
/* 1: a process lives in it or below. */
int cgroupfs_populated(const struct cgroupfs *c, const char *path);
/* Whether a controller may limit what lies in it (cgroup.controllers is not empty). */
bool cgroupfs_controlled(const struct cgroupfs *c, const char *path);

typedef int (*cgroupfs_fn)(const char *path, uint64_t id, uint64_t parent, void *arg);
/* Calls fn for `path` and everything below, parents first, 32 levels deep. Other than 0 from fn
 * ends the walk and is returned. */
int cgroupfs_walk(const struct cgroupfs *c, const char *path, cgroupfs_fn fn, void *arg);
typedef void (*cgroupfs_pid_fn)(pid_t pid, void *arg);
int cgroupfs_pids(const struct cgroupfs *c, const char *path, cgroupfs_pid_fn fn, void *arg);

#endif
