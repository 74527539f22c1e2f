/* SPDX-License-Identifier: GPL-2.0-only */
/* Cgroups: of cgroup2, and the v1 ones beside it on a hybrid host. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <mntent.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "suite.h"

char cgroup2[PATH_MAX], cgroup_top[NAME_MAX];

static const char *const controllers[] = { "memory", "pids", "cpu" };
static char v1[ARRAY_SIZE(controllers)][PATH_MAX];

bool cgroup_put(const char *directory, const char *file, const char *value)
{
	char path[PATH_MAX];
	_cleanup_close_ int fd = -1;

	path_set(path, "%s/%s", directory, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	return fd >= 0 && write(fd, value, strlen(value)) == (ssize_t)strlen(value);
}

static int index_of(const char *controller)
{
	for (size_t i = 0; i < ARRAY_SIZE(controllers); i++)
		if (strcmp(controllers[i], controller) == 0)
			return (int)i;
	abort();
}

const char *cgroup_v1(const char *controller)
{
	const char *path = v1[index_of(controller)];

	return *path ? path : NULL;
}

static bool listed(const char *directory, const char *file, const char *controller)
{
	char path[PATH_MAX];
	_cleanup_free_ char *text = NULL;
	char *save = NULL;

	path_set(path, "%s/%s", directory, file);
	text = read_all(path);
	for (char *w = strtok_r(text, " \n", &save); w; w = strtok_r(NULL, " \n", &save))
		if (strcmp(w, controller) == 0)
			return true;
	return false;
}

bool cgroup_has(const char *controller)
{
	char top[PATH_MAX];

	path_set(top, "%s/%s", cgroup2, cgroup_top);
	return listed(top, "cgroup.controllers", controller);
}

void cgroup_hand_down(const char *directory)
{
	for (size_t i = 0; i < ARRAY_SIZE(controllers); i++) {
		char word[32];

		snprintf(word, sizeof(word), "+%s", controllers[i]);
		if (listed(directory, "cgroup.controllers", controllers[i]) &&
		    !listed(directory, "cgroup.subtree_control", controllers[i]))
			cgroup_put(directory, "cgroup.subtree_control", word);
	}
}

void cgroups_setup(void)
{
	FILE *f = setmntent("/proc/self/mounts", "re");
	char top[PATH_MAX];
	struct mntent *m;

	while (f && (m = getmntent(f))) {
		if (strcmp(m->mnt_type, "cgroup2") == 0 && !*cgroup2)
			path_set(cgroup2, "%s", m->mnt_dir);
		for (size_t i = 0; i < ARRAY_SIZE(controllers); i++)
			if (strcmp(m->mnt_type, "cgroup") == 0 && hasmntopt(m, controllers[i]))
				path_set(v1[i], "%s", m->mnt_dir);
	}
	if (f)
		endmntent(f);
	snprintf(cgroup_top, sizeof(cgroup_top), "sandfault-suite-%d", getpid());
	path_set(top, "%s/%s", cgroup2, cgroup_top);
	cgroup_hand_down(cgroup2);
	if (!*cgroup2 || mkdir(top, 0755) < 0) {
		printf("not ok suite: no cgroup at %s: %s\n", top, strerror(errno));
		exit(1);
	}
	cgroup_hand_down(top);
}

static void make_below(struct run *t, char path[PATH_MAX], const char *name)
{
	const char *rest = name;

	while (rest) {
		size_t used = strlen(path), len = strcspn(rest, "/");

		snprintf(path + used, PATH_MAX - used, "/%.*s", (int)len, rest);
		if (mkdir(path, 0755) < 0 && errno != EEXIST)
			check(t, false, "mkdir %s: %s", path, strerror(errno));
		rest = rest[len] ? rest + len + 1 : NULL;
	}
}

void cgroup_make(struct run *t, char ret[PATH_MAX], const char *name)
{
	path_set(ret, "%s/%s", cgroup2, cgroup_top);
	make_below(t, ret, name);
}

void cgroup_make_v1(struct run *t, char ret[PATH_MAX], const char *mount, const char *name)
{
	char full[PATH_MAX];

	path_set(full, "%s/%s", cgroup_top, name);
	path_set(ret, "%s", mount);
	make_below(t, ret, full);
}

const char *cgroup_name(const char *directory)
{
	return directory + strlen(cgroup2);
}

static bool remove_now(void *arg)
{
	const char *directory = arg;
	char path[PATH_MAX];
	_cleanup_free_ char *pids = NULL;
	char *save = NULL;

	if (rmdir(directory) == 0 || errno == ENOENT)
		return true;
	path_set(path, "%s/cgroup.procs", directory);
	pids = read_all(path);
	for (char *p = strtok_r(pids, "\n", &save); p; p = strtok_r(NULL, "\n", &save))
		if (atoi(p) > 1)
			kill(atoi(p), SIGKILL);
	return false;
}

void cgroup_remove(const char *directory)
{
	wait_until(remove_now, (void *)directory);
}

static int remove_cgroup(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	if (kind == FTW_DP)
		cgroup_remove(path);
	return 0;
}

void cgroups_clean(void)
{
	char top[PATH_MAX];

	path_set(top, "%s/%s", cgroup2, cgroup_top);
	nftw(top, remove_cgroup, 16, FTW_DEPTH | FTW_PHYS);
	for (size_t i = 0; i < ARRAY_SIZE(controllers); i++) {
		path_set(top, "%s/%s", v1[i], cgroup_top);
		if (*v1[i])
			nftw(top, remove_cgroup, 16, FTW_DEPTH | FTW_PHYS);
	}
}
