/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A path resolved component by component inside of a root that is not ours. One openat2 a
 * component, never of a link and never of "..", so that no step can leave the root: links are read
 * and expanded as text, ".." shortens the text of the directory reached and opens that from the
 * root again.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include "explain_walk.h"

#define LINKS_MAX     40 /* MAXSYMLINKS of the kernel */
#define PROC_ROOT_INO 1
#define REST_MAX      (SF_PATH * 4)

static int open_path(int dir_fd, const char *name, uint64_t flags, uint64_t resolve)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC | flags, .resolve = resolve };
	int fd;

	do {
		fd = (int)syscall(SYS_openat2, dir_fd, name, &how, sizeof(how));
	} while (fd < 0 && errno == EAGAIN); /* raced with a rename */
	return fd < 0 ? -errno : fd;
}

static void replace_fd(int *fd, int with)
{
	util_closep(fd);
	*fd = with;
}

static void stop(struct walk *w, enum walk_end end, int error)
{
	w->end = end;
	w->error = error;
}

/* A relative call starts at its base, whatever lies above. Device numbers are not compared: what
 * stat tells of btrfs and overlayfs is not the superblock's. */
static void check_base(struct walk *w)
{
	const struct sf_creds *creds = w->ctx ? w->ctx->creds : NULL;

	if (!creds || w->base_seen || creds->base_ino != w->dir.st_ino ||
	    creds->base_mode != w->dir.st_mode || creds->base_uid != w->dir.st_uid ||
	    creds->base_gid != w->dir.st_gid)
		return;
	w->base_seen = true;
	w->mode = (struct mode_result){ .verdict = MODE_ALLOWS };
}

/* Makes `fd` the directory that is searched next. */
static int enter(struct walk *w, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0) {
		int r = -errno;

		close(fd);
		return r;
	}
	replace_fd(&w->dir_fd, fd);
	w->dir = st;
	check_base(w);
	return 0;
}

static int enter_root(struct walk *w)
{
	int fd = open_path(w->root_fd, ".", O_DIRECTORY, 0);

	w->resolved_len = 0;
	w->resolved[0] = '\0';
	return fd < 0 ? fd : enter(w, fd);
}

static int enter_parent(struct walk *w)
{
	char *slash = strrchr(w->resolved, '/');
	int fd;

	if (!slash || slash == w->resolved)
		return enter_root(w); /* ".." of the root is the root */
	*slash = '\0';
	w->resolved_len = (size_t)(slash - w->resolved);
	fd = open_path(w->root_fd, w->resolved, O_DIRECTORY, RESOLVE_IN_ROOT | RESOLVE_NO_SYMLINKS);
	return fd < 0 ? fd : enter(w, fd);
}

static int append(struct walk *w, const char *name)
{
	size_t len = strlen(name);

	if (w->resolved_len + len + 2 > REST_MAX)
		return -ENAMETOOLONG;
	w->resolved[w->resolved_len] = '/';
	memcpy(w->resolved + w->resolved_len + 1, name, len + 1);
	w->resolved_len += len + 1;
	return 0;
}

static void shorten(struct walk *w, size_t len)
{
	w->resolved_len = len;
	w->resolved[len] = '\0';
}

/* Takes the first component off the rest. Length of the name, 0: there is none left. */
static size_t next_name(struct walk *w)
{
	char *s = w->rest + strspn(w->rest, "/");
	size_t len = strcspn(s, "/");

	if (len > 0 && len < sizeof(w->name)) {
		memcpy(w->name, s, len);
		w->name[len] = '\0';
	}
	memmove(w->rest, s + len, strlen(s + len) + 1);
	return len;
}

/* A component has been resolved: how much of the path as it was given exists? */
static void mark_good(struct walk *w)
{
	size_t left = strlen(w->rest);

	if (left > w->orig_left)
		return; /* inside of a link's text */
	w->orig_left = left;
	w->good = w->path_len - left;
}

/* The text of a link; its length. /proc/self is the reader's, which is us: the task's own process
 * is put in its place. */
static ssize_t link_target(struct walk *w, int fd, bool proc, char *buf, size_t size)
{
	ssize_t n;

	if (proc && w->self_pid && strcmp(w->name, "self") == 0)
		return snprintf(buf, size, "%u", w->self_pid);
	if (proc && w->self_pid && strcmp(w->name, "thread-self") == 0)
		return snprintf(buf, size, "%u/task/%u", w->self_pid, w->self_pid);
	n = readlinkat(fd, "", buf, size - 1);
	if (n < 0)
		return -errno;
	buf[n] = '\0';
	return n;
}

static bool in_procfs(const struct walk *w)
{
	struct statfs fs;

	return fstatfs(w->dir_fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

static int expand_link(struct walk *w, int fd, bool proc)
{
	_cleanup_free_ char *text = malloc(REST_MAX);
	size_t tail = strlen(w->rest);
	ssize_t n;

	if (!text)
		return -ENOMEM;
	if (++w->links > LINKS_MAX)
		return -ELOOP;
	n = link_target(w, fd, proc, text, SF_PATH);
	if (n < 0)
		return (int)n;
	if ((size_t)n + tail + 1 > REST_MAX)
		return -ENAMETOOLONG;
	if (tail < w->orig_left)
		w->orig_left = tail;
	memcpy(text + n, w->rest, tail + 1);
	memcpy(w->rest, text, (size_t)n + tail + 1);
	return text[0] == '/' ? enter_root(w) : 0;
}

/* What an error of a look-up says: of the path, or of us. */
static void stop_lookup(struct walk *w, int error)
{
	switch (error) {
	case -ENOENT:
		stop(w, WALK_MISSING, 0);
		break;
	case -ENOTDIR:
		stop(w, WALK_NOT_DIR, 0);
		break;
	case -ELOOP:
		stop(w, WALK_LOOP, 0);
		break;
	default:
		stop(w, WALK_UNSEEN, error);
	}
}

static void follow_link(struct walk *w, int fd, const struct stat *st, bool proc)
{
	int64_t made = st->st_ctim.tv_sec * NSEC_PER_SEC + st->st_ctim.tv_nsec;
	size_t before = w->resolved_len;
	int r = append(w, w->name);

	if (made > w->link_ns)
		w->link_ns = made;
	if (r == 0) {
		if (w->ctx)
			mode_check_link(w->ctx, &w->mode, &w->dir, st, w->resolved);
		shorten(w, before);
		r = expand_link(w, fd, proc);
	}
	close(fd);
	if (r < 0)
		stop_lookup(w, r);
}

/* What the walk ends with, or the directory that it goes on in. */
static void keep(struct walk *w, int fd, const struct stat *st)
{
	bool more = w->rest[0] == '/'; /* a trailing slash asks for a directory as well */
	int r = append(w, w->name);

	if (r < 0) {
		close(fd);
		stop(w, WALK_UNSEEN, r);
		return;
	}
	mark_good(w);
	if (S_ISDIR(st->st_mode) && !w->last) {
		r = enter(w, fd);
		if (r < 0)
			stop(w, WALK_UNSEEN, r);
		return;
	}
	replace_fd(&w->fd, fd);
	w->st = *st;
	stop(w, more && !S_ISDIR(st->st_mode) ? WALK_NOT_DIR : WALK_FOUND, 0);
}

/* Descends into, follows or keeps what was found under w->name. */
static void step_into(struct walk *w, int fd)
{
	struct stat st;
	bool proc = false;

	if (fstat(fd, &st) < 0) {
		stop(w, WALK_UNSEEN, -errno);
		close(fd);
		return;
	}
	if (!S_ISLNK(st.st_mode) || !(w->rest[0] == '/' || w->follow)) {
		keep(w, fd, &st);
		return;
	}
	proc = in_procfs(w);
	if (!proc || w->dir.st_ino == PROC_ROOT_INO) {
		follow_link(w, fd, &st, proc);
		return;
	}
	/* Below /proc/PID links are magic: their text is no path. */
	close(fd);
	fd = open_path(w->dir_fd, w->name, 0, 0);
	if (fd < 0) {
		stop_lookup(w, fd);
	} else if (fstat(fd, &st) < 0) {
		stop(w, WALK_UNSEEN, -errno);
		close(fd);
	} else {
		keep(w, fd, &st);
	}
}

/* The end of the path: the directory itself. */
static void found_directory(struct walk *w)
{
	int fd = fcntl(w->dir_fd, F_DUPFD_CLOEXEC, 0);

	if (fd < 0) {
		stop(w, WALK_UNSEEN, -errno);
		return;
	}
	replace_fd(&w->fd, fd);
	w->st = w->dir;
	stop(w, WALK_FOUND, 0);
}

static void step(struct walk *w)
{
	size_t len = next_name(w);
	int r;

	if (len == 0) {
		found_directory(w);
		return;
	}
	w->last = w->rest[strspn(w->rest, "/")] == '\0';
	if (w->ctx)
		mode_check(w->ctx, &w->mode, w->dir_fd, &w->dir, WANT_EXEC, w->resolved);
	if (len >= sizeof(w->name)) {
		stop(w, WALK_TOO_LONG, 0);
		return;
	}
	if (strcmp(w->name, ".") == 0 || strcmp(w->name, "..") == 0) {
		r = w->name[1] ? enter_parent(w) : 0;
		if (r < 0)
			stop_lookup(w, r);
		else
			mark_good(w);
		return;
	}
	r = open_path(w->dir_fd, w->name, O_NOFOLLOW, 0);
	if (r < 0)
		stop_lookup(w, r);
	else
		step_into(w, r);
}

static int begin(struct walk *w)
{
	w->dir_fd = -1;
	w->fd = -1;
	w->mode.verdict = MODE_ALLOWS;
	w->rest = malloc(REST_MAX);
	w->resolved = malloc(REST_MAX);
	return w->rest && w->resolved ? 0 : -ENOMEM;
}

/* Absolute, each component a name. */
static bool is_plain(const char *path)
{
	for (const char *at = path; *at; at += strcspn(at, "/")) {
		size_t len = strcspn(++at, "/");

		if (at[-1] != '/' || !len || (len <= 2 && strspn(at, ".") >= len))
			return false;
	}
	return path[0];
}

/* By one call, where no link lies on the path. */
static bool find_at_once(struct walk *w, const char *path)
{
	int fd = open_path(w->root_fd, path, 0, RESOLVE_IN_ROOT | RESOLVE_NO_SYMLINKS);

	if (fd < 0)
		return false;
	if (fstat(fd, &w->st) < 0) {
		close(fd);
		return false;
	}
	w->fd = fd;
	w->resolved_len = strlen(path);
	memcpy(w->resolved, path, w->resolved_len + 1);
	stop(w, WALK_FOUND, 0);
	return true;
}

int walk_find(struct walk *w, const char *path)
{
	int r = begin(w);

	if (r == 0 && strlen(path) < REST_MAX && is_plain(path) && find_at_once(w, path))
		return 0;
	walk_done(w);
	return r < 0 ? r : walk_path(w, path);
}

int walk_path(struct walk *w, const char *path)
{
	int r = begin(w);

	if (r < 0)
		return r;
	w->path_len = strlen(path);
	w->orig_left = w->path_len;
	w->good = path[0] == '/';
	if (w->path_len >= REST_MAX) {
		stop(w, WALK_UNSEEN, -ENAMETOOLONG);
		return 0;
	}
	memcpy(w->rest, path, w->path_len + 1);
	r = enter_root(w);
	if (r < 0) {
		stop(w, WALK_UNSEEN, r);
		return 0;
	}
	while (w->end == WALK_GOING)
		step(w);
	return 0;
}

void walk_done(struct walk *w)
{
	util_closep(&w->fd);
	util_closep(&w->dir_fd);
	free(w->rest);
	free(w->resolved);
	w->rest = w->resolved = NULL;
}
