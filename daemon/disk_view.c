/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is needed of a process to find its files. A client that has its answer may end at once, and its
 * server with it, before anybody asked: so this much is held while a call is under way. A descriptor keeps
 * its mount busy: it is only a root that is ours as well that is held, never a sandbox's.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "disk_internal.h"

#define TICK_NS	  (NSEC_PER_SEC / 100) /* of starttime in /proc/PID/stat: USER_HZ */
#define STAT_MAX  4096
#define ARGV_MAX  65536
#define STARTTIME 22 /* the field's number in proc_pid_stat(5) */
#define HELD_MAX  16
#define HELD_NS	  NSEC_PER_SEC

struct held {
	struct disk_view view;
	struct call_peer who;
	unsigned int calls; /* 0: free */
	int64_t until_ns;
};

static struct held held[HELD_MAX];

/* ---- the process ---- */

static bool is_that_process(const char *proc, const struct call_peer *who)
{
	_cleanup_free_ char *text = NULL;
	char path[PATH_MAX], *at;
	int64_t off;

	if (!who->start_ns)
		return true;
	snprintf(path, sizeof(path), "%s/stat", proc);
	if (util_read_file(path, STAT_MAX, &text) < 0)
		return false;
	at = strrchr(text, ')'); /* ends the second field, which may hold anything */
	for (int i = 2; at && i < STARTTIME; i++)
		at = strchr(at + 1, ' ');
	if (!at)
		return false;
	off = (int64_t)(strtoull(at + 1, NULL, 10) * TICK_NS - who->start_ns);
	return off >= -TICK_NS && off <= TICK_NS;
}

static void link_text(const char *proc, const char *name, char *buf, size_t size)
{
	char path[PATH_MAX];
	ssize_t n;

	snprintf(path, sizeof(path), "%s/%s", proc, name);
	n = readlink(path, buf, size - 1);
	buf[n < 0 ? 0 : n] = '\0';
}

/* What /proc says is the path within its mount namespace; what lies above a chroot is taken off. */
static int find_cwd(const char *proc, char *cwd)
{
	char root[PATH_MAX];
	size_t n;

	link_text(proc, "cwd", cwd, PATH_MAX);
	link_text(proc, "root", root, sizeof(root));
	if (!cwd[0] || !root[0])
		return -ESRCH;
	n = strlen(root);
	if (n > 1 && strncmp(cwd, root, n) == 0 && (cwd[n] == '/' || !cwd[n]))
		memmove(cwd, cwd + n, strlen(cwd + n) + 1);
	if (cwd[0] != '/')
		memcpy(cwd, "/", 2);
	return 0;
}

int disk_view_open(struct disk_view *v, const char *proc, const struct call_peer *who, bool argv)
{
	char path[PATH_MAX], by_fd[64];
	int r;

	snprintf(path, sizeof(path), "%s/%u", proc, who->tgid);
	_cleanup_close_ int proc_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (proc_fd < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	/* By descriptor: never that of a later one of that pid. */
	snprintf(by_fd, sizeof(by_fd), "/proc/self/fd/%d", proc_fd);
	if (!is_that_process(by_fd, who))
		return -ESRCH;
	v->root_fd = openat(proc_fd, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (v->root_fd < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	r = find_cwd(by_fd, v->cwd);
	if (r < 0 || !argv)
		return r;
	snprintf(path, sizeof(path), "%s/cmdline", by_fd);
	v->argv_len = util_read_file(path, ARGV_MAX, &v->argv);
	return 0;
}

void disk_view_close(struct disk_view *v)
{
	util_closep(&v->root_fd);
	free(v->argv);
	*v = (struct disk_view){ .root_fd = -1 };
}

/* ---- held ---- */

static struct held *find(const struct call_peer *who)
{
	for (size_t i = 0; i < HELD_MAX; i++)
		if (held[i].calls && held[i].who.tgid == who->tgid &&
		    held[i].who.start_ns == who->start_ns)
			return &held[i];
	return NULL;
}

static void drop(struct held *h)
{
	disk_view_close(&h->view);
	h->calls = 0;
}

/* The root of our own mounts, which we keep busy anyway. */
static bool has_our_root(const char *proc, const struct call_peer *who)
{
	char process[256], its[64], ours[64], root[PATH_MAX];

	snprintf(process, sizeof(process), "%s/%u", proc, who->tgid);
	link_text(process, "ns/mnt", its, sizeof(its));
	link_text(process, "root", root, sizeof(root));
	link_text("/proc/self", "ns/mnt", ours, sizeof(ours));
	return its[0] && strcmp(its, ours) == 0 && strcmp(root, "/") == 0;
}

static void add(const char *proc, const struct call_peer *who)
{
	struct held *h = held;

	while (h < held + HELD_MAX && h->calls)
		h++;
	/* Without its start nobody knows whether a later process of that pid is meant. */
	if (h == held + HELD_MAX || !who->start_ns || !has_our_root(proc, who))
		return;
	h->view = (struct disk_view){ .root_fd = -1 };
	if (disk_view_open(&h->view, proc, who, true) < 0) {
		disk_view_close(&h->view);
		return;
	}
	h->who = *who;
	h->calls = 1;
	h->until_ns = util_now_boottime() + HELD_NS;
}

void disk_held_change(const char *proc, const struct call_peer *who, bool hold)
{
	struct held *h = find(who);

	if (hold && h) {
		h->calls++;
		h->until_ns = util_now_boottime() + HELD_NS;
	} else if (hold) {
		add(proc, who);
	} else if (h && --h->calls == 0) {
		drop(h);
	}
}

const struct disk_view *disk_held(const struct call_peer *who)
{
	const struct held *h = find(who);

	return h ? &h->view : NULL;
}

int disk_held_expire(int64_t now)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < HELD_MAX; i++) {
		if (held[i].calls && held[i].until_ns <= now)
			drop(&held[i]);
		else if (held[i].calls && held[i].until_ns < next)
			next = held[i].until_ns;
	}
	return next == INT64_MAX ? -1 : (int)((next - now) / NSEC_PER_MSEC) + 1;
}
