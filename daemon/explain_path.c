/* SPDX-License-Identifier: GPL-2.0-only */
/* One request, answered from the state that is there. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

#include "explain_label.h"
#include "explain_walk.h"
#include "names.h"

#define ST_VALID 0x20 /* statfs f_flags: "the flags are there", no flag of the mount */

static void gone(struct explanation *ret, const char *why)
{
	snprintf(ret->why, sizeof(ret->why), "%s", why);
}

/* The process whose root serves, and that root. */
static int open_root(const char *proc_root, const struct explain_request *r, uint32_t *ret_pid,
		     struct explanation *ret)
{
	gone(ret, "no process left");
	for (size_t i = 0; i < ARRAY_SIZE(r->pids); i++) {
		uint32_t pid = r->pids[i];
		char root[512], ns[512];
		struct stat st;
		int fd;

		if (pid == 0)
			continue;
		snprintf(root, sizeof(root), "%s/%u/root", proc_root, pid);
		snprintf(ns, sizeof(ns), "%s/%u/ns/mnt", proc_root, pid);
		if (pid == EXPLAIN_HOST_PID) {
			snprintf(root, sizeof(root), "/");
			snprintf(ns, sizeof(ns), "/proc/self/ns/mnt");
		}
		/* The root first: a number that changes hands in between fails the second look. */
		fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (!r->mntns || (stat(ns, &st) == 0 && st.st_ino == r->mntns)) {
			*ret_pid = pid;
			ret->why[0] = '\0';
			return fd;
		}
		close(fd);
		gone(ret, "only other mount namespaces left");
	}
	return -ESRCH;
}

/* The process's number in its innermost pid namespace; 0: unknown. */
static uint32_t innermost_pid(const char *proc_root, uint32_t pid)
{
	_cleanup_free_ char *text = NULL;
	const char *line, *last;
	char path[512];

	snprintf(path, sizeof(path), "%s/%u/status", proc_root, pid);
	if (pid == EXPLAIN_HOST_PID || util_read_file(path, 65536, &text) < 0)
		return 0;
	line = strstr(text, "\nNSpid:");
	if (!line)
		return 0;
	line += strlen("\nNSpid:");
	last = line + strcspn(line, "\n");
	while (last > line && last[-1] != '\t')
		last--;
	return (uint32_t)strtoul(last, NULL, 10);
}

static void fill_mount(struct explanation *ret, int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return;
	ret->mount_flags = (uint32_t)fs.f_flags & ~(uint32_t)ST_VALID;
	ret->fs_magic = (uint32_t)fs.f_type;
	ret->fs_size = (uint64_t)fs.f_blocks * (uint64_t)fs.f_frsize;
	ret->fs_free = (uint64_t)fs.f_bavail * (uint64_t)fs.f_frsize;
	ret->fs_inodes = fs.f_files;
	ret->fs_inodes_free = fs.f_ffree;
}

/* Set-group-id without group execution once meant mandatory locking: it gives nothing. */
static bool gives_privilege(int fd, const struct stat *st)
{
	const uint32_t setgid = S_ISGID | S_IXGRP;
	char path[64];

	if (!S_ISREG(st->st_mode))
		return false;
	if (st->st_mode & S_ISUID || (st->st_mode & setgid) == setgid)
		return true;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return getxattr(path, "security.capability", NULL, 0) > 0;
}

static void fill_object(struct explanation *ret, int fd, const struct stat *st)
{
	ret->mode = st->st_mode;
	ret->uid = st->st_uid;
	ret->gid = st->st_gid;
	ret->is_dir = S_ISDIR(st->st_mode);
	ret->is_device = S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode);
	if (ret->is_device) {
		ret->dev_major = major(st->st_rdev);
		ret->dev_minor = minor(st->st_rdev);
	}
	ret->setid = gives_privilege(fd, st);
	fill_mount(ret, fd);
}

static void fill_end(struct explanation *ret, const struct walk *w)
{
	static const char *const why[] = {
		[WALK_MISSING] = "",
		[WALK_NOT_DIR] = "a component is not a directory",
		[WALK_LOOP] = "too many symbolic links",
		[WALK_TOO_LONG] = "a component is too long",
		[WALK_FOUND] = "",
	};

	if (w->end == WALK_UNSEEN) {
		snprintf(ret->why, sizeof(ret->why), "%s after %zu bytes of the path",
			 names_errno(-w->error), w->good);
		return;
	}
	ret->done = true;
	ret->exists = w->end == WALK_FOUND;
	if (!ret->exists)
		ret->missing_at = (uint32_t)w->good;
	snprintf(ret->why, sizeof(ret->why), "%s", why[w->end]);
	/* Where a file stands in a directory's place it is the last that exists. */
	if (w->fd >= 0)
		fill_object(ret, w->fd, &w->st);
	else
		fill_object(ret, w->dir_fd, &w->dir);
}

static const char *parent_of(const struct walk *w, char *buf, size_t size)
{
	const char *slash = strrchr(w->resolved, '/');

	if (w->end == WALK_MISSING)
		return w->resolved;
	snprintf(buf, size, "%.*s", slash ? (int)(slash - w->resolved) : 0, w->resolved);
	return buf;
}

/* Write and search on the directory, and its sticky bit where something there is to go. */
static void judge_parent(const struct mode_ctx *ctx, struct mode_result *m, const struct walk *w)
{
	char parent[SF_PATH];

	mode_check(ctx, m, w->dir_fd, &w->dir, WANT_WRITE | WANT_EXEC,
		   parent_of(w, parent, sizeof(parent)));
	if (w->end == WALK_FOUND && w->dir.st_mode & S_ISVTX && ctx->creds->fsuid != w->dir.st_uid)
		mode_check_owner(ctx, m, &w->st, w->resolved);
}

static void judge_last(const struct mode_ctx *ctx, struct mode_result *m, const struct walk *w,
		       uint32_t want)
{
	if (want & WANT_PARENT && (w->end == WALK_FOUND || w->last))
		judge_parent(ctx, m, w);
	if (w->end == WALK_MISSING && w->last && want & WANT_CREATE)
		judge_parent(ctx, m, w);
	if (w->end != WALK_FOUND)
		return;
	mode_check(ctx, m, w->fd, &w->st, want, w->resolved);
	if (want & WANT_CREATE)
		mode_check_create(ctx, m, &w->dir, &w->st, w->resolved);
	if (want & WANT_OWNER)
		mode_check_owner(ctx, m, &w->st, w->resolved);
}

static void judge(const struct mode_ctx *ctx, const struct walk *w, uint32_t want,
		  struct explanation *ret)
{
	struct mode_result m = w->mode;

	judge_last(ctx, &m, w, want);
	/* A denial above a base that we did not meet may be none of that call's. */
	if (m.verdict == MODE_DENIES && ctx->creds->base_ino && !w->base_seen)
		m.verdict = MODE_UNKNOWN;
	ret->mode_verdict = m.verdict;
	if (m.verdict != MODE_DENIES)
		return;
	memcpy(ret->culprit, m.culprit, sizeof(ret->culprit));
	ret->culprit_mode = m.mode;
	ret->culprit_uid = m.uid;
	ret->culprit_gid = m.gid;
}

static void look(int root_fd, const struct mode_ctx *ctx, uint32_t self_pid,
		 const struct explain_request *r, struct explanation *ret)
{
	struct walk w = { .root_fd = root_fd,
			  .follow = !(r->want & WANT_PARENT),
			  .self_pid = self_pid,
			  .ctx = r->creds.valid ? ctx : NULL };

	if (walk_path(&w, r->path) < 0) {
		gone(ret, "out of memory");
		walk_done(&w);
		return;
	}
	fill_end(ret, &w);
	if (ret->done && w.ctx)
		judge(ctx, &w, r->want, ret);
	if (w.end == WALK_FOUND && r->want & WANT_HEAD)
		head_read(root_fd, w.fd, &w.st, ret);
	if (w.end == WALK_MISSING && r->want & WANT_NEIGHBOURS)
		near_look(w.dir_fd, w.name, ret);
	walk_done(&w);
}

static bool find_outside(int root_fd, const char *path, struct walk *w)
{
	*w = (struct walk){ .root_fd = root_fd, .follow = true };
	return walk_path(w, path) == 0 && w->end == WALK_FOUND;
}

/* What is there for whoever stands in no sandbox. */
static void look_outside(const struct explain_request *r, struct explanation *ret)
{
	_cleanup_close_ int root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	_cleanup_free_ char *point =
		r->cover_len ? strndup(r->path, r->cover_len) : strdup(ret->culprit);
	struct walk w;

	if (root_fd < 0 || !point)
		return;
	if (find_outside(root_fd, r->path, &w))
		ret->outside = OUTSIDE_THERE;
	else if (w.end != WALK_UNSEEN)
		ret->outside = OUTSIDE_ABSENT;
	walk_done(&w);
	if (ret->outside != OUTSIDE_THERE || !point[0])
		return;
	if (find_outside(root_fd, point, &w)) {
		ret->outside_mode = w.st.st_mode;
		ret->outside_uid = w.st.st_uid;
		ret->outside_gid = w.st.st_gid;
	}
	walk_done(&w);
}

static void look_inside(const char *proc_root, const struct explain_request *r,
			struct explanation *ret)
{
	_cleanup_close_ int root_fd = -1;
	_cleanup_free_ char *env = NULL;
	struct mode_ctx ctx = { .creds = &r->creds, .proc_root = proc_root };
	uint32_t pid = 0;
	ssize_t n = 0;

	if (r->want & WANT_ENVIRON && r->pids[0] != EXPLAIN_HOST_PID)
		n = environ_read(proc_root, r->pids[0], &env);
	root_fd = open_root(proc_root, r, &pid, ret);
	if (root_fd < 0)
		return;
	/* The next best process may live in another user namespace: its id maps say nothing. */
	ctx.pid = pid == r->pids[0] && pid != EXPLAIN_HOST_PID ? pid : 0;
	look(root_fd, &ctx, innermost_pid(proc_root, pid), r, ret);
	if (ret->done && !ret->exists)
		environ_name(env, n, r->path, ret);
}

void explain_path(const char *proc_root, const struct explain_request *r, struct explanation *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (r->want & WANT_LABEL)
		label_look(proc_root, r, ret);
	ret->no_path = !r->path[0] || r->want == WANT_OUTSIDE;
	if (r->path[0] != '/') {
		gone(ret, "not an absolute path");
		return;
	}
	if (!ret->no_path) /* first: a process is gone sooner than a file */
		look_inside(proc_root, r, ret);
	if (r->want & WANT_OUTSIDE)
		look_outside(r, ret);
}
