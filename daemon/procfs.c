/* SPDX-License-Identifier: GPL-2.0-only */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "procfs.h"

#define PATH_SHORT 320 /* "/proc/PID/file" with a fixture's root */

static int path_of(char *buf, const char *root, pid_t pid, const char *file)
{
	int n = snprintf(buf, PATH_SHORT, "%s/%d%s%s", root, pid, *file ? "/" : "", file);

	return n >= PATH_SHORT ? -ENAMETOOLONG : 0;
}

/* proc(5): "pid (comm) state ppid …"; the comm may hold anything, its end is the last ')'. */
static int read_stat(const char *root, pid_t pid, struct procfs_info *ret)
{
	_cleanup_free_ char *text = NULL;
	char path[PATH_SHORT], *open, *close;
	ssize_t n;
	int r = path_of(path, root, pid, "stat");

	if (r < 0)
		return r;
	n = util_read_file(path, 4096, &text);
	if (n < 0)
		return n == -ENOENT ? -ESRCH : (int)n;
	open = strchr(text, '(');
	close = strrchr(text, ')');
	if (!open || !close || close < open)
		return -EBADMSG;
	*close = '\0';
	snprintf(ret->comm, sizeof(ret->comm), "%s", open + 1);
	if (close[1] != ' ' || !close[2] || close[3] != ' ')
		return -EBADMSG;
	if (strchr("ZXx", close[2])) /* ended, not reaped yet: no event will come of it */
		return -ESRCH;
	ret->ppid = atoi(close + 4);
	return 0;
}

int procfs_read(const char *root, pid_t pid, struct procfs_info *ret)
{
	struct procfs_info info = { .pid = pid };
	char path[PATH_SHORT];
	struct stat st;
	ssize_t n;
	int r = read_stat(root, pid, &info);

	if (r < 0)
		return r;
	path_of(path, root, pid, "");
	if (stat(path, &st) < 0)
		return -ESRCH;
	info.uid = st.st_uid;
	path_of(path, root, pid, "exe");
	n = readlink(path, info.exe, sizeof(info.exe) - 1);
	info.exe[n > 0 ? n : 0] = '\0';
	info.mntns = procfs_namespace(root, pid, "mnt");
	*ret = info;
	return 0;
}

uint32_t procfs_namespace(const char *root, pid_t pid, const char *kind)
{
	char path[PATH_SHORT], file[16];
	struct stat st;

	snprintf(file, sizeof(file), "ns/%s", kind);
	if (path_of(path, root, pid, file) < 0 || stat(path, &st) < 0)
		return 0;
	return (uint32_t)st.st_ino;
}

int procfs_cgroup(const char *root, pid_t pid, char **ret)
{
	_cleanup_free_ char *text = NULL;
	char path[PATH_SHORT], *save = NULL;
	ssize_t n;
	int r = path_of(path, root, pid, "cgroup");

	if (r < 0)
		return r;
	n = util_read_file(path, 65536, &text);
	if (n < 0)
		return (int)n;
	for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
		if (strncmp(l, "0::", 3) != 0)
			continue;
		*ret = strdup(l + 3);
		return *ret ? 0 : -ENOMEM;
	}
	return -ENOENT;
}

/* ---- descendants ---- */

struct pair {
	pid_t pid, ppid;
};

static void closedirp(DIR **d)
{
	if (*d)
		closedir(*d);
}

static int all_processes(const char *root, struct pair **ret, size_t *n)
{
	_cleanup_(closedirp) DIR *d = opendir(root);
	struct procfs_info info;
	struct dirent *e;
	size_t cap = 0;

	if (!d)
		return -errno;
	while ((e = readdir(d))) {
		pid_t pid = atoi(e->d_name);
		void *v = *ret;
		int r;

		if (!isdigit((unsigned char)e->d_name[0]) || read_stat(root, pid, &info) < 0)
			continue;
		r = util_grow(&v, &cap, *n + 1, sizeof(**ret));
		*ret = v;
		if (r < 0)
			return r;
		(*ret)[(*n)++] = (struct pair){ pid, info.ppid };
	}
	return 0;
}

int procfs_descendants(const char *root, pid_t pid, pid_t **ret, size_t *ret_n)
{
	_cleanup_free_ struct pair *all = NULL;
	_cleanup_free_ pid_t *found = NULL;
	size_t n = 0, n_found = 0;
	int r = all_processes(root, &all, &n);

	if (r < 0)
		return r;
	found = calloc(n + 1, sizeof(*found));
	if (!found)
		return -ENOMEM;
	/* Breadth first: each found one is a parent to look for in turn. */
	for (size_t at = 0; at <= n_found; at++) {
		pid_t parent = at == 0 ? pid : found[at - 1];

		for (size_t i = 0; i < n; i++) {
			if (all[i].ppid != parent || all[i].pid == pid || n_found >= n)
				continue;
			found[n_found++] = all[i].pid;
			all[i].ppid = -1; /* once */
		}
	}
	*ret = TAKE_PTR(found);
	*ret_n = n_found;
	return 0;
}
