/* SPDX-License-Identifier: GPL-2.0-only */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "cgroupfs.h"

#define MAKE_TRIES    8
#define DEPTH_MAX     32
#define FILEID_KERNFS 0xfe /* include/linux/exportfs.h */
#define PIDS_TEXT_MAX (4 * 1024 * 1024)
#define MOUNTINFO_MAX (1024 * 1024)

struct cgroupfs {
	char *root; /* without trailing slash */
};

/* ---- the mount ---- */

/* The mount point of a mountinfo line if it is a cgroup2 mount of the whole tree. */
static char *line_cgroup2(char *line)
{
	char *dash = strstr(line, " - "), *save = NULL, *field = NULL;
	char *root = NULL;

	if (!dash || strncmp(dash + 3, "cgroup2 ", 8) != 0)
		return NULL;
	for (int i = 0; i < 5; i++) {
		field = strtok_r(i ? NULL : line, " ", &save);
		if (!field)
			return NULL;
		if (i == 3)
			root = field;
	}
	return strcmp(root, "/") == 0 ? strdup(field) : NULL;
}

static int mount_find(const char *proc_root, char **ret)
{
	_cleanup_free_ char *path = NULL, *text = NULL;
	char *save = NULL;
	ssize_t n;

	if (asprintf(&path, "%s/self/mountinfo", proc_root) < 0)
		return -ENOMEM;
	n = util_read_file(path, MOUNTINFO_MAX, &text);
	if (n < 0)
		return (int)n;
	for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
		char *point = line_cgroup2(l);

		if (point) {
			*ret = point;
			return 0;
		}
	}
	return -ENOENT;
}

static void strip_slashes(char *s)
{
	size_t n = strlen(s);

	while (n && s[n - 1] == '/')
		s[--n] = '\0';
}

int cgroupfs_new(struct cgroupfs **ret, const char *proc_root, const char *root)
{
	_cleanup_free_ char *found = NULL;
	struct cgroupfs *c;
	int r = 0;

	if (root)
		found = strdup(root);
	else
		r = mount_find(proc_root, &found);
	if (r < 0)
		return r;
	c = calloc(1, sizeof(*c));
	if (!c || !found) {
		free(c);
		return -ENOMEM;
	}
	c->root = TAKE_PTR(found);
	strip_slashes(c->root);
	*ret = c;
	return 0;
}

void cgroupfs_free(struct cgroupfs *c)
{
	if (!c)
		return;
	free(c->root);
	free(c);
}

const char *cgroupfs_root(const struct cgroupfs *c)
{
	return c->root;
}

/* ---- paths ---- */

static char *full(const struct cgroupfs *c, const char *path, const char *file)
{
	char *s = NULL;

	if (asprintf(&s, "%s%s%s%s", c->root, path, file ? "/" : "", file ? file : "") < 0)
		return NULL;
	return s;
}

int cgroupfs_normalize(const struct cgroupfs *c, const char *given, char **ret)
{
	size_t n = strlen(c->root);
	_cleanup_free_ char *copy = NULL, *out = NULL;
	char *save = NULL, *p;

	if (n && strncmp(given, c->root, n) == 0 && (given[n] == '/' || !given[n]))
		given += n;
	copy = strdup(given);
	out = malloc(strlen(given) + 2);
	if (!copy || !out)
		return -ENOMEM;
	p = out;
	for (char *s = strtok_r(copy, "/", &save); s; s = strtok_r(NULL, "/", &save)) {
		if (strcmp(s, ".") == 0 || strcmp(s, "..") == 0)
			return -EINVAL;
		*p++ = '/';
		p = stpcpy(p, s);
	}
	if (p == out)
		*p++ = '/';
	*p = '\0';
	*ret = TAKE_PTR(out);
	return 0;
}

/* On 64-bit machines the inode number is the id; the file handle says so everywhere. */
static int id_at(int dir, const char *name, uint64_t *ret)
{
	struct {
		struct file_handle h;
		unsigned char bytes[128];
	} handle = { .h.handle_bytes = sizeof(handle.bytes) };
	struct stat st;
	int mount;

	if (name_to_handle_at(dir, name, &handle.h, &mount, 0) == 0 &&
	    handle.h.handle_type == FILEID_KERNFS && handle.h.handle_bytes == sizeof(*ret)) {
		memcpy(ret, handle.h.f_handle, sizeof(*ret));
		return 0;
	}
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	if (!S_ISDIR(st.st_mode))
		return -ENOENT;
	*ret = st.st_ino;
	return 0;
}

int cgroupfs_id(const struct cgroupfs *c, const char *path, uint64_t *ret)
{
	_cleanup_free_ char *dir = full(c, path, NULL);
	struct stat st;

	if (!dir)
		return -ENOMEM;
	if (lstat(dir, &st) < 0)
		return errno == ENOTDIR ? -ENOENT : -errno;
	if (!S_ISDIR(st.st_mode))
		return -ENOENT;
	return id_at(AT_FDCWD, dir, ret);
}

static int make_once(const struct cgroupfs *c, const char *path)
{
	_cleanup_free_ char *dir = full(c, path, NULL);
	size_t root = strlen(c->root);

	if (!dir)
		return -ENOMEM;
	for (char *p = dir + root + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		if (mkdir(dir, 0755) < 0 && errno != EEXIST)
			return -errno;
		*p = '/';
	}
	return mkdir(dir, 0755) < 0 ? -errno : 0;
}

int cgroupfs_make(const struct cgroupfs *c, const char *path)
{
	int r = -ENOENT;

	/* Another daemon that leaves may take the empty parent away in between. */
	for (int i = 0; i < MAKE_TRIES && r == -ENOENT; i++)
		r = make_once(c, path);
	return r;
}

int cgroupfs_remove(const struct cgroupfs *c, const char *path)
{
	_cleanup_free_ char *dir = full(c, path, NULL);

	if (!dir)
		return -ENOMEM;
	return rmdir(dir) < 0 ? -errno : 0;
}

char *cgroupfs_procs(const struct cgroupfs *c, const char *path)
{
	return full(c, path, "cgroup.procs");
}

int cgroupfs_populated(const struct cgroupfs *c, const char *path)
{
	_cleanup_free_ char *file = full(c, path, "cgroup.events"), *text = NULL;
	ssize_t n;

	if (!file)
		return -ENOMEM;
	n = util_read_file(file, 4096, &text);
	if (n < 0)
		return n == -ENODEV ? -ENOENT : (int)n;
	return strstr(text, "populated 1") != NULL;
}

bool cgroupfs_controlled(const struct cgroupfs *c, const char *path)
{
	_cleanup_free_ char *file = full(c, path, "cgroup.controllers"), *text = NULL;

	return file && util_read_file(file, 4096, &text) > 1;
}

/* ---- walks ---- */

struct walk {
	cgroupfs_fn fn;
	void *arg;
};

static int walk_dir(const struct walk *w, int dir, const char *path, uint64_t parent, int depth);

static int walk_child(const struct walk *w, int dir, const char *path, const char *name,
		      uint64_t parent, int depth)
{
	_cleanup_free_ char *child = NULL;
	int fd;

	if (asprintf(&child, "%s/%s", strcmp(path, "/") == 0 ? "" : path, name) < 0)
		return -ENOMEM;
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) /* removed meanwhile */
		return 0;
	return walk_dir(w, fd, child, parent, depth + 1);
}

static void closedirp(DIR **d)
{
	if (*d)
		closedir(*d);
}

/* Takes over `dir`. */
static int walk_dir(const struct walk *w, int dir, const char *path, uint64_t parent, int depth)
{
	_cleanup_(closedirp) DIR *d = fdopendir(dir);
	struct dirent *e;
	uint64_t id = 0;
	int r;

	if (!d) {
		close(dir);
		return -ENOMEM;
	}
	if (id_at(dir, ".", &id) < 0)
		return 0;
	r = w->fn(path, id, parent, w->arg);
	while (r == 0 && depth < DEPTH_MAX && (e = readdir(d))) {
		if (e->d_type != DT_DIR || e->d_name[0] == '.')
			continue;
		r = walk_child(w, dir, path, e->d_name, id, depth);
	}
	return r;
}

int cgroupfs_walk(const struct cgroupfs *c, const char *path, cgroupfs_fn fn, void *arg)
{
	_cleanup_free_ char *dir = full(c, path, NULL);
	struct walk w = { fn, arg };
	uint64_t parent = 0;
	int fd;

	if (!dir)
		return -ENOMEM;
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (strcmp(path, "/") != 0)
		id_at(fd, "..", &parent);
	return walk_dir(&w, fd, path, parent, 0);
}

int cgroupfs_pids(const struct cgroupfs *c, const char *path, cgroupfs_pid_fn fn, void *arg)
{
	_cleanup_free_ char *file = full(c, path, "cgroup.procs"), *text = NULL;
	char *save = NULL;
	ssize_t n;

	if (!file)
		return -ENOMEM;
	n = util_read_file(file, PIDS_TEXT_MAX, &text);
	if (n < 0)
		return (int)n;
	for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
		int pid = atoi(l);

		if (pid > 0) /* 0: of a pid namespace that is not ours */
			fn(pid, arg);
	}
	return 0;
}
