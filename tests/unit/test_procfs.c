/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "procfs.h"

static char root[] = "/tmp/test_procfs.XXXXXX";

static void put(int pid, const char *file, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%d", root, pid);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/%d/%s", root, pid, file);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int setup(void **state)
{
	strcpy(root + sizeof(root) - 7, "XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int drop(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static int teardown(void **state)
{
	return nftw(root, drop, 16, FTW_DEPTH | FTW_PHYS);
}

/* The comm may hold parentheses, spaces and newlines. */
static void a_hostile_comm_is_read(void **state)
{
	struct procfs_info info;

	put(7, "stat", "7 (a) R 99 (b\n) S 3 7 7 0 -1\n");
	assert_int_equal(procfs_read(root, 7, &info), 0);
	assert_int_equal(info.pid, 7);
	assert_int_equal(info.ppid, 3);
	assert_string_equal(info.comm, "a) R 99 (b\n");
	assert_string_equal(info.exe, "");
}

static void what_has_ended_is_none(void **state)
{
	struct procfs_info info;

	put(7, "stat", "7 (sh) Z 3 7 7 0 -1\n");
	assert_int_equal(procfs_read(root, 7, &info), -ESRCH);
	assert_int_equal(procfs_read(root, 8, &info), -ESRCH);
}

static void malformed_ones_are_refused(void **state)
{
	static const char *const bad[] = { "", "7", "7 (sh", "7 sh) S 1", "7 (sh)", "7 (sh)S 1" };
	struct procfs_info info;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		put(7, "stat", bad[i]);
		assert_int_equal(procfs_read(root, 7, &info), -EBADMSG);
	}
}

static void the_v2_line_is_found(void **state)
{
	char *path = NULL;

	put(7, "cgroup", "5:memory:/m\n1:name=systemd:/s\n0::/a/b c\n");
	assert_int_equal(procfs_cgroup(root, 7, &path), 0);
	assert_string_equal(path, "/a/b c");
	free(path);
	path = NULL;
	put(8, "cgroup", "5:memory:/m\n");
	assert_int_equal(procfs_cgroup(root, 8, &path), -ENOENT);
	assert_null(path);
}

static void descendants_come_parents_first(void **state)
{
	pid_t *pids = NULL;
	size_t n = 0;

	put(1, "stat", "1 (init) S 0 1\n");
	put(10, "stat", "10 (top) S 1 1\n");
	put(5, "stat", "5 (grandchild) S 30 1\n"); /* numbers wrap around */
	put(30, "stat", "30 (child) S 10 1\n");
	put(31, "stat", "31 (child) S 10 1\n");
	put(40, "stat", "40 (other) S 1 1\n");
	put(50, "stat", "50 (dead) Z 10 1\n");
	assert_int_equal(procfs_descendants(root, 10, &pids, &n), 0);
	assert_int_equal(n, 3);
	assert_true((pids[0] == 30 && pids[1] == 31) || (pids[0] == 31 && pids[1] == 30));
	assert_int_equal(pids[2], 5);
	free(pids);
	pids = NULL;
	assert_int_equal(procfs_descendants(root, 40, &pids, &n), 0);
	free(pids);
}

/* Parents that go round, as a snapshot taken while numbers are used again may show. */
static void a_ring_of_parents_ends(void **state)
{
	pid_t *pids = NULL;
	size_t n = 0;

	put(2, "stat", "2 (a) S 4 1\n");
	put(3, "stat", "3 (b) S 2 1\n");
	put(4, "stat", "4 (c) S 3 1\n");
	assert_int_equal(procfs_descendants(root, 2, &pids, &n), 0);
	assert_int_equal(n, 2);
	free(pids);
}

static void the_real_one_knows_us(void **state)
{
	struct procfs_info info;
	pid_t *pids = NULL;
	size_t n = 0;
	int gate[2];
	pid_t child;
	char c;

	assert_int_equal(procfs_read("/proc", getpid(), &info), 0);
	assert_int_equal(info.ppid, getppid());
	assert_int_equal(info.uid, geteuid());
	assert_true(info.mntns != 0);
	assert_int_equal(info.mntns, procfs_namespace("/proc", getpid(), "mnt"));
	assert_true(strstr(info.exe, "test_procfs") != NULL);
	assert_int_equal(pipe(gate), 0);
	child = fork();
	if (child == 0) {
		close(gate[1]);
		_exit(read(gate[0], &c, 1) == 0 ? 0 : 1);
	}
	assert_int_equal(procfs_descendants("/proc", getpid(), &pids, &n), 0);
	close(gate[0]);
	close(gate[1]);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(n, 1);
	assert_int_equal(pids[0], child);
	free(pids);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(a_hostile_comm_is_read),	   T(what_has_ended_is_none),
		T(malformed_ones_are_refused),	   T(the_v2_line_is_found),
		T(descendants_come_parents_first), T(a_ring_of_parents_ends),
		T(the_real_one_knows_us),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
