/* SPDX-License-Identifier: GPL-2.0-only */
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "explain_walk.h"

static char top[] = "/tmp/test-walk-XXXXXX";
static int root_fd = -1;

static void name(char ret[PATH_MAX], const char *below)
{
	assert_true(snprintf(ret, PATH_MAX, "%s/%s", top, below) < PATH_MAX);
}

static void put_link(const char *target, const char *below)
{
	char path[PATH_MAX];

	name(path, below);
	assert_return_code(symlink(target, path), 0);
}

static int setup(void **state)
{
	char path[PATH_MAX];

	assert_non_null(mkdtemp(top));
	for (size_t i = 0; i < 2; i++) {
		name(path, i ? "d/.e" : "d");
		assert_return_code(mkdir(path, 0755), 0);
	}
	name(path, "d/.e/f");
	assert_return_code(close(open(path, O_WRONLY | O_CREAT, 0600)), 0);
	put_link("f", "d/.e/link");
	put_link("d/.e", "way");
	put_link("/d", "absolute");
	put_link("nowhere", "dangling");
	put_link("round", "round");
	root_fd = open(top, O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_return_code(root_fd, 0);
	return 0;
}

static int teardown(void **state)
{
	char command[PATH_MAX];

	close(root_fd);
	assert_true(snprintf(command, sizeof(command), "rm -rf %s", top) < PATH_MAX);
	return system(command);
}

static const struct {
	const char *path;
	enum walk_end end;
	const char *resolved; /* where it is found */
	int links;
} rows[] = {
	{ "/d/.e/f", WALK_FOUND, "/d/.e/f", 0 },
	{ "/d/.e", WALK_FOUND, "/d/.e", 0 },
	{ "/d/.e/", WALK_FOUND, "/d/.e", 0 },
	{ "//d/./.e//f", WALK_FOUND, "/d/.e/f", 0 },
	{ "/d/../d/.e/f", WALK_FOUND, "/d/.e/f", 0 },
	{ "/../../d", WALK_FOUND, "/d", 0 },
	{ "/", WALK_FOUND, "", 0 },
	{ "/d/.e/link", WALK_FOUND, "/d/.e/f", 1 },
	{ "/way/link", WALK_FOUND, "/d/.e/f", 2 },
	{ "/absolute/.e", WALK_FOUND, "/d/.e", 1 },
	{ "/way/..", WALK_FOUND, "/d", 1 },
	{ "/d/none", WALK_MISSING, NULL, 0 },
	{ "/d/.e/f/g", WALK_NOT_DIR, NULL, 0 },
	{ "/dangling", WALK_MISSING, NULL, 1 },
	{ "/round", WALK_LOOP, NULL, 41 },
};

static void check(int (*resolve)(struct walk *w, const char *path), size_t i)
{
	struct walk w = { .root_fd = root_fd, .follow = true };

	assert_int_equal(resolve(&w, rows[i].path), 0);
	if (w.end != rows[i].end || w.links != rows[i].links)
		fail_msg("%s: end %d after %d links", rows[i].path, w.end, w.links);
	if (rows[i].resolved) {
		struct stat st;
		char path[PATH_MAX];

		assert_string_equal(w.resolved, rows[i].resolved);
		name(path, rows[i].resolved);
		assert_return_code(stat(path, &st), 0);
		assert_true(w.st.st_ino == st.st_ino && w.st.st_dev == st.st_dev);
		assert_return_code(fstat(w.fd, &st), 0);
		assert_true(w.st.st_ino == st.st_ino);
	}
	walk_done(&w);
}

static void paths_are_walked(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check(walk_path, i);
}

/* In one call or step by step: the same. */
static void paths_are_found(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check(walk_find, i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_walked),
		cmocka_unit_test(paths_are_found),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
