/* SPDX-License-Identifier: GPL-2.0-only */
/* A tree of files for one test, and questions about it. */
#ifndef SANDFAULT_TESTS_EXPLAIN_TREE_H
#define SANDFAULT_TESTS_EXPLAIN_TREE_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "daemon/explain.h"

#define USER 4242 /* nobody has this uid */

static char dir[64]; /* the tree of one test */
static struct explanation x;

static inline int set_up(void **state)
{
	snprintf(dir, sizeof(dir), "/tmp/sandfault-explain-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	return chmod(dir, 0755);
}

static inline int tear_down(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	return system(command);
}

static inline const char *at(const char *name)
{
	static char path[8][SF_PATH];
	static unsigned int turn;
	char *s = path[turn++ % 8];

	snprintf(s, SF_PATH, "%s/%s", dir, name);
	return s;
}

static inline void make_dir(const char *name, mode_t mode)
{
	assert_int_equal(mkdir(at(name), 0755), 0);
	assert_int_equal(chmod(at(name), mode), 0);
}

static inline void make_file(const char *name, const void *data, size_t len, mode_t mode)
{
	_cleanup_close_ int fd = open(at(name), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), len);
	assert_int_equal(fchmod(fd, mode), 0);
}

static inline int count_fds(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static inline struct explain_request request(const char *path, uint32_t want)
{
	struct explain_request r = { .pids = { (uint32_t)getpid() }, .want = want };

	snprintf(r.path, sizeof(r.path), "%s", path);
	return r;
}

/* Every request is checked for descriptors that stay. */
static inline void explain(const char *proc_root, const struct explain_request *r)
{
	int before = count_fds();

	memset(&x, 0x55, sizeof(x));
	explain_path(proc_root, r, &x);
	assert_int_equal(count_fds(), before);
}

static inline void look(const char *path, uint32_t want)
{
	struct explain_request r = request(path, want);

	explain("/proc", &r);
}

static inline void look_as_user(const char *path, uint32_t want)
{
	struct explain_request r = request(path, want);

	r.creds.valid = 1;
	r.creds.fsuid = r.creds.euid = USER;
	r.creds.fsgid = USER;
	explain("/proc", &r);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

#endif
