/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>

#include "../daemon/cgroupfs.h"
#include "cli.h"
#include "leftover.h"

#define NAMED	 8
#define GRACE_NS (200 * NSEC_PER_MSEC) /* the rest of a pipeline ends with its last command */

struct found {
	const struct cgroupfs *fs;
	pid_t pids[NAMED];
	size_t n; /* all of them */
};

/* A process that has ended and only waits for its parent is not left behind. */
static bool is_alive(pid_t pid)
{
	_cleanup_free_ char *stat = NULL;
	char path[32], *paren;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (util_read_file(path, 4096, &stat) < 0)
		return false;
	/* The name before it may hold anything, even ") Z". */
	paren = strrchr(stat, ')');
	return paren && paren[1] == ' ' && paren[2] != 'Z' && paren[2] != 'X';
}

static void found_pid(pid_t pid, void *arg)
{
	struct found *f = arg;

	if (!is_alive(pid))
		return;
	if (f->n < NAMED)
		f->pids[f->n] = pid;
	f->n++;
}

static int found_cgroup(const char *path, uint64_t id, uint64_t parent, void *arg)
{
	struct found *f = arg;

	cgroupfs_pids(f->fs, path, found_pid, f);
	return 0;
}

static void find(struct found *f, const char *cgroup)
{
	int64_t deadline = util_now_boottime() + GRACE_NS;

	for (;;) {
		f->n = 0;
		cgroupfs_walk(f->fs, cgroup, found_cgroup, f);
		if (f->n == 0 || util_now_boottime() >= deadline)
			return;
		usleep(10000);
	}
}

/* "sleep (pid 41), …" of the first ones; owned. */
static char *name_them(const struct found *f)
{
	char *list = strdup("");

	for (size_t i = 0; list && i < f->n && i < NAMED; i++) {
		_cleanup_free_ char *comm = NULL;
		char path[32], *more = NULL;
		ssize_t n;

		snprintf(path, sizeof(path), "/proc/%d/comm", (int)f->pids[i]);
		n = util_read_file(path, 64, &comm);
		if (n > 0 && comm[n - 1] == '\n')
			comm[n - 1] = '\0';
		if (asprintf(&more, "%s%s%s (pid %d)", list, i ? ", " : "", n > 0 ? comm : "?",
			     (int)f->pids[i]) < 0)
			more = NULL;
		free(list);
		list = more;
	}
	return list;
}

void leftover_say(const char *cgroup)
{
	struct cgroupfs *fs = NULL;
	struct found found = { 0 };

	if (!*cgroup || cgroupfs_new(&fs, "/proc", NULL) < 0)
		return;
	found.fs = fs;
	find(&found, cgroup);
	if (found.n) {
		_cleanup_free_ char *list = name_them(&found);

		say("left behind: %s%s", list ? list : "", found.n > NAMED ? ", and more" : "");
	}
	cgroupfs_free(fs);
}
