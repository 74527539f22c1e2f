/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "cgroupfs.h"

/* A directory in place of the file system: what is asked of it are directories and small files. */
static char root[] = "/tmp/test_cgroupfs.XXXXXX";
static struct cgroupfs *c;

static void put(const char *file, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s%s", root, file);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int setup(void **state)
{
	strcpy(root + sizeof(root) - 7, "XXXXXX");
	return mkdtemp(root) ? cgroupfs_new(&c, "/proc", root) : -1;
}

static int drop(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static int teardown(void **state)
{
	cgroupfs_free(c);
	return nftw(root, drop, 16, FTW_DEPTH | FTW_PHYS);
}

static void assert_normal(const char *given, const char *want)
{
	char *got = NULL;

	assert_int_equal(cgroupfs_normalize(c, given, &got), 0);
	assert_string_equal(got, want);
	free(got);
}

static void paths_have_one_form(void **state)
{
	char below[128], *got = NULL;

	assert_normal("/a/b", "/a/b");
	assert_normal("a/b", "/a/b");
	assert_normal("//a///b/", "/a/b");
	assert_normal("/", "/");
	assert_normal("", "/");
	assert_normal("/a/...", "/a/...");
	assert_normal(root, "/");
	snprintf(below, sizeof(below), "%s/x/y", root);
	assert_normal(below, "/x/y");
	snprintf(below, sizeof(below), "%sx/y", root); /* only looks like it */
	assert_normal(below, below);
	assert_int_equal(cgroupfs_normalize(c, "/a/../b", &got), -EINVAL);
	assert_int_equal(cgroupfs_normalize(c, "/a/./b", &got), -EINVAL);
	assert_null(got);
}

static void the_mount_is_found(void **state)
{
	struct cgroupfs *found = NULL;
	char self[64];

	snprintf(self, sizeof(self), "%s/self", root);
	assert_int_equal(mkdir(self, 0755), 0);
	put("/self/mountinfo",
	    "20 1 0:19 / /proc rw - proc proc rw\n"
	    "30 1 0:30 /kubepods /sys/fs/bound rw - cgroup2 cgroup rw\n" /* a part of the tree */
	    "31 1 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
	    "32 1 0:30 / /sys/fs/cgroup/unified rw shared:9 - cgroup2 cgroup2 rw\n");
	assert_int_equal(cgroupfs_new(&found, root, NULL), 0);
	assert_string_equal(cgroupfs_root(found), "/sys/fs/cgroup/unified");
	cgroupfs_free(found);
	put("/self/mountinfo", "31 1 0:31 / /sys/fs/cgroup rw - cgroup cgroup rw,memory\n");
	assert_int_equal(cgroupfs_new(&found, root, NULL), -ENOENT);
}

static void cgroups_are_made_and_removed(void **state)
{
	uint64_t id = 0;

	assert_int_equal(cgroupfs_id(c, "/a/b", &id), -ENOENT);
	assert_int_equal(cgroupfs_make(c, "/a/b"), 0);
	assert_int_equal(cgroupfs_make(c, "/a/b"), -EEXIST);
	assert_int_equal(cgroupfs_id(c, "/a/b", &id), 0);
	assert_true(id != 0);
	put("/a/file", "");
	assert_int_equal(cgroupfs_id(c, "/a/file", &id), -ENOENT);
	assert_int_equal(cgroupfs_id(c, "/a/file/x", &id), -ENOENT);
	assert_int_equal(cgroupfs_remove(c, "/a/b"), 0);
	assert_int_equal(cgroupfs_remove(c, "/a/b"), -ENOENT);
}

static void its_files_are_read(void **state)
{
	assert_int_equal(cgroupfs_populated(c, "/a"), -ENOENT);
	assert_int_equal(cgroupfs_make(c, "/a"), 0);
	put("/a/cgroup.events", "populated 1\nfrozen 0\n");
	assert_int_equal(cgroupfs_populated(c, "/a"), 1);
	put("/a/cgroup.events", "populated 0\nfrozen 1\n");
	assert_int_equal(cgroupfs_populated(c, "/a"), 0);
	put("/a/cgroup.controllers", "\n");
	assert_false(cgroupfs_controlled(c, "/a"));
	put("/a/cgroup.controllers", "memory pids\n");
	assert_true(cgroupfs_controlled(c, "/a"));
	_cleanup_free_ char *procs = cgroupfs_procs(c, "/a"), *want = NULL;
	assert_true(asprintf(&want, "%s/a/cgroup.procs", cgroupfs_root(c)) > 0);
	assert_string_equal(procs, want);
}

struct seen {
	char paths[512];
	uint64_t parents[8];
	uint64_t ids[8];
	int n, stop_at;
};

static int see(const char *path, uint64_t id, uint64_t parent, void *arg)
{
	struct seen *s = arg;

	strcat(strcat(s->paths, path), " ");
	s->ids[s->n] = id;
	s->parents[s->n] = parent;
	return ++s->n == s->stop_at ? 5 : 0;
}

static void the_walk_goes_parents_first(void **state)
{
	struct seen s = { .stop_at = -1 };

	assert_int_equal(cgroupfs_make(c, "/a/b/c"), 0);
	assert_int_equal(cgroupfs_walk(c, "/a", see, &s), 0);
	assert_string_equal(s.paths, "/a /a/b /a/b/c ");
	assert_int_equal(s.parents[1], s.ids[0]);
	assert_int_equal(s.parents[2], s.ids[1]);
	s = (struct seen){ .stop_at = 2 };
	assert_int_equal(cgroupfs_walk(c, "/", see, &s), 5);
	assert_string_equal(s.paths, "/ /a ");
	assert_int_equal(cgroupfs_walk(c, "/nothing", see, &s), -ENOENT);
}

static void sum(pid_t pid, void *arg)
{
	*(int *)arg += pid;
}

static void its_processes_are_listed(void **state)
{
	int total = 0;

	assert_int_equal(cgroupfs_make(c, "/a"), 0);
	put("/a/cgroup.procs", "4\n0\n30\nx\n");
	assert_int_equal(cgroupfs_pids(c, "/a", sum, &total), 0);
	assert_int_equal(total, 34);
	assert_int_equal(cgroupfs_pids(c, "/b", sum, &total), -ENOENT);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(paths_have_one_form),		 T(the_mount_is_found),
		T(cgroups_are_made_and_removed), T(its_files_are_read),
		T(the_walk_goes_parents_first),	 T(its_processes_are_listed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
