/* SPDX-License-Identifier: GPL-2.0-only */
/* explain_path(): what exists, through whose root. */
#include <linux/magic.h>
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <sys/wait.h>

#include "explain_tree.h"

#define DEADLINE_MSEC 10000

/* ---- existence ---- */

static void test_exists(void **state)
{
	make_dir("d", 0750);
	make_file("d/f", "abc", 3, 0640);
	look(at("d/f"), WANT_EXIST);
	assert_true(x.done && x.exists);
	assert_string_equal(x.why, "");
	assert_int_equal(x.mode, S_IFREG | 0640);
	assert_int_equal(x.uid, geteuid());
	assert_int_equal(x.gid, getegid());
	assert_false(x.is_dir || x.is_device || x.setid);
	assert_int_equal(x.mode_verdict, MODE_UNKNOWN); /* no credentials given */
	assert_int_equal(x.head, HEAD_UNKNOWN);
	look(at("d/"), WANT_EXIST);
	assert_true(x.done && x.exists && x.is_dir);
	look(at("./d//../d/./f"), WANT_EXIST);
	assert_true(x.exists);
	look("/", WANT_EXIST);
	assert_true(x.done && x.exists && x.is_dir);
	look("/../../..", WANT_EXIST);
	assert_true(x.exists && x.is_dir);
	look("/dev/null", WANT_EXIST);
	assert_true(x.is_device);
	assert_int_equal(x.dev_major, 1);
	assert_int_equal(x.dev_minor, 3);
}

static void assert_missing(const char *path, size_t good, const char *why)
{
	look(path, WANT_EXIST);
	assert_true(x.done);
	assert_false(x.exists);
	assert_string_equal(x.why, why);
	if (x.missing_at != good)
		fail_msg("%s: %u of %zu bytes", path, x.missing_at, good);
}

static void test_missing(void **state)
{
	char name[300];

	make_dir("d", 0755);
	make_file("f", "", 0, 0600);
	assert_missing("/nosuchentry", 1, "");
	assert_missing(at("d/x"), strlen(dir) + 2, "");
	assert_int_equal(x.mode, S_IFDIR | 0755); /* of the last that exists */
	assert_missing(at("d/x/y/z"), strlen(dir) + 2, "");
	assert_missing(at("d//x"), strlen(dir) + 2, "");
	assert_missing(at("f/x"), strlen(dir) + 2, "a component is not a directory");
	assert_int_equal(x.mode, S_IFREG | 0600);
	assert_missing(at("f/"), strlen(dir) + 2, "a component is not a directory");
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_missing(at(name), strlen(dir), "a component is too long");
	look("relative", WANT_EXIST);
	assert_false(x.done);
	look("", WANT_EXIST);
	assert_false(x.done);
}

static void test_links(void **state)
{
	make_dir("d", 0755);
	make_file("d/f", "", 0, 0600);
	assert_int_equal(symlink("d", at("to-d")), 0);
	assert_int_equal(symlink("../to-d/f", at("d/to-f")), 0);
	assert_int_equal(symlink(at("d"), at("absolute")), 0);
	assert_int_equal(symlink("d/none", at("dangling")), 0);
	assert_int_equal(symlink("loop", at("loop")), 0);
	look(at("to-d/to-f"), WANT_EXIST);
	assert_true(x.exists);
	assert_int_equal(x.mode, S_IFREG | 0600);
	look(at("absolute/f"), WANT_EXIST);
	assert_true(x.exists);
	look(at("absolute"), WANT_PARENT); /* unlink: the link itself */
	assert_true(x.exists && S_ISLNK(x.mode));
	assert_missing(at("to-d/x"), strlen(at("to-d")), "");
	assert_missing(at("dangling"), strlen(dir), "");
	assert_missing(at("loop"), strlen(dir), "too many symbolic links");
	/* As long as the kernel goes, it goes: 40 links. */
	assert_int_equal(symlink("d/f", at("l0")), 0);
	for (int i = 1; i <= 40; i++) {
		char target[16], name[16];

		snprintf(target, sizeof(target), "l%d", i - 1);
		snprintf(name, sizeof(name), "l%d", i);
		assert_int_equal(symlink(target, at(name)), 0);
	}
	assert_int_equal(access(at("l39"), F_OK), 0);
	look(at("l39"), WANT_EXIST);
	assert_true(x.exists);
	assert_int_equal(access(at("l40"), F_OK), -1);
	look(at("l40"), WANT_EXIST);
	assert_false(x.exists);
}

/* Deeper than PATH_MAX, and out again. */
static void test_deep(void **state)
{
	_cleanup_close_ int fd = open(dir, O_PATH | O_CLOEXEC);
	struct explain_request r = request(dir, WANT_EXIST);
	char name[201];

	memset(name, 'n', 200);
	name[200] = '\0';
	for (int i = 0; i < 30; i++) {
		int next;

		assert_int_equal(mkdirat(fd, name, 0755), 0);
		next = openat(fd, name, O_PATH | O_CLOEXEC);
		assert_true(next >= 0);
		close(fd);
		fd = next;
		strcat(r.path, "/");
		strcat(r.path, name);
	}
	explain("/proc", &r);
	assert_true(x.done && x.exists && x.is_dir);
}

/* ---- processes, namespaces, roots ---- */

struct child {
	pid_t pid;
	int fd; /* its end means: go */
};

/* Runs `prepare` in a child and keeps it alive; 77 in place of a child: it may not. */
static int child_start(struct child *c, int (*prepare)(void))
{
	int go[2], ready[2];
	char ok = 0;

	assert_int_equal(pipe2(go, O_CLOEXEC), 0);
	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	c->pid = fork();
	if (c->pid == 0) {
		close(go[1]);
		ok = prepare() == 0;
		if (write(ready[1], &ok, 1) != 1 || !ok)
			_exit(1);
		_exit(read(go[0], &ok, 1) == 0 ? 0 : 1);
	}
	c->fd = go[1];
	close(go[0]);
	close(ready[1]);
	assert_int_equal(
		poll(&(struct pollfd){ .fd = ready[0], .events = POLLIN }, 1, DEADLINE_MSEC), 1);
	assert_true(read(ready[0], &ok, 1) >= 0);
	close(ready[0]);
	return ok ? 0 : 77;
}

static void child_end(struct child *c)
{
	int status;

	close(c->fd);
	assert_int_equal(waitpid(c->pid, &status, 0), c->pid);
}

static uint32_t mntns_of(pid_t pid)
{
	struct stat st;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/ns/mnt", pid);
	assert_int_equal(stat(path, &st), 0);
	return (uint32_t)st.st_ino;
}

static int mount_noexec(void)
{
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return -errno;
	if (mount("tmpfs", dir, "tmpfs", MS_NOEXEC | MS_NOSUID | MS_NODEV | MS_RDONLY,
		  "size=1m,nr_inodes=100") < 0 ||
	    mount(NULL, dir, NULL, MS_REMOUNT | MS_NOEXEC | MS_NOSUID | MS_NODEV,
		  "size=1m,nr_inodes=100") < 0)
		return -errno;
	make_file("tool", "#!/bin/sh\n", 10, 0755);
	return mount(NULL, dir, NULL,
		     MS_REMOUNT | MS_BIND | MS_NOEXEC | MS_NOSUID | MS_NODEV | MS_RDONLY, NULL);
}

static void test_mount_namespace(void **state)
{
	struct explain_request r = request(at("tool"), WANT_EXEC | WANT_HEAD);
	struct child c;

	if (child_start(&c, mount_noexec) != 0) {
		child_end(&c);
		skip();
	}
	r.pids[0] = (uint32_t)c.pid;
	r.mntns = mntns_of(c.pid);
	assert_int_not_equal(r.mntns, mntns_of(getpid()));
	explain("/proc", &r);
	assert_true(x.done && x.exists);
	assert_int_equal(x.head, HEAD_SCRIPT);
	assert_int_equal(x.mount_flags & (ST_RDONLY | ST_NOEXEC | ST_NOSUID | ST_NODEV),
			 ST_RDONLY | ST_NOEXEC | ST_NOSUID | ST_NODEV);
	assert_int_equal(x.fs_magic, TMPFS_MAGIC);
	assert_int_equal(x.fs_size, 1024 * 1024);
	assert_true(x.fs_free > 0 && x.fs_free < x.fs_size);
	assert_int_equal(x.fs_inodes, 100);
	assert_int_equal(x.fs_inodes_free, 98);
	/* Ours is another namespace: no answer in its place … */
	r.pids[0] = (uint32_t)getpid();
	r.pids[1] = UINT32_MAX;
	explain("/proc", &r);
	assert_false(x.done);
	assert_string_equal(x.why, "only other mount namespaces left");
	/* … but the next that fits. */
	r.pids[5] = (uint32_t)c.pid;
	explain("/proc", &r);
	assert_true(x.done && x.exists);
	child_end(&c);
	/* It has gone, and took its mount along. */
	r.pids[0] = r.pids[1] = 0;
	explain("/proc", &r);
	assert_false(x.done);
	assert_string_equal(x.why, "no process left");
}

static int change_root(void)
{
	return chroot(dir) < 0 || chdir("/") < 0 ? -errno : 0;
}

static void test_root(void **state)
{
	struct explain_request r = request("/etc/own", WANT_EXIST);
	struct child c;

	make_dir("etc", 0755);
	make_file("etc/own", "", 0, 0644);
	assert_int_equal(symlink("/etc/own", at("absolute")), 0);
	assert_int_equal(symlink("../../../../../../etc/passwd", at("out")), 0);
	assert_int_equal(symlink("/../../etc/passwd", at("etc/out")), 0);
	if (child_start(&c, change_root) != 0) {
		child_end(&c);
		skip();
	}
	r.pids[0] = (uint32_t)c.pid;
	explain("/proc", &r);
	assert_true(x.done && x.exists);
	snprintf(r.path, sizeof(r.path), "/absolute");
	explain("/proc", &r);
	assert_true(x.done && x.exists);
	/* No way out: /etc/passwd is ours, not its. */
	assert_int_equal(access("/etc/passwd", F_OK), 0);
	snprintf(r.path, sizeof(r.path), "/out");
	explain("/proc", &r);
	assert_true(x.done && !x.exists);
	snprintf(r.path, sizeof(r.path), "/etc/out");
	explain("/proc", &r);
	assert_true(x.done && !x.exists);
	snprintf(r.path, sizeof(r.path), "/etc/../../../etc/passwd");
	explain("/proc", &r);
	assert_true(x.done && !x.exists);
	assert_int_equal(x.missing_at, strlen("/etc/../../../etc"));
	child_end(&c);
}

static void test_dead_process(void **state)
{
	struct explain_request r = request("/", WANT_EXIST);
	pid_t dead = fork();

	if (dead == 0)
		_exit(0);
	assert_int_equal(waitpid(dead, NULL, 0), dead);
	r.pids[0] = (uint32_t)dead;
	explain("/proc", &r);
	assert_false(x.done);
	assert_string_equal(x.why, "no process left");
	r.pids[3] = (uint32_t)getpid();
	explain("/proc", &r);
	assert_true(x.done && x.exists);
	r.pids[3] = UINT32_MAX;
	explain("/proc", &r);
	assert_true(x.done && x.exists);
}

/* A process that has ended but is not reaped has no root any more. */
static void test_zombie(void **state)
{
	struct explain_request r = request("/", WANT_EXIST);
	pid_t pid = fork();
	siginfo_t si;

	if (pid == 0)
		_exit(0);
	assert_int_equal(waitid(P_PID, (id_t)pid, &si, WEXITED | WNOWAIT), 0);
	r.pids[0] = (uint32_t)pid;
	explain("/proc", &r);
	assert_false(x.done);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static int nothing(void)
{
	return 0;
}

/* /proc/self is the task's, not the helper's; what lies behind a magic link is found. */
static void test_proc_self(void **state)
{
	struct explain_request r = request("/proc/self/status", WANT_EXIST);
	struct child c;
	char fd[64];

	assert_int_equal(child_start(&c, nothing), 0);
	r.pids[0] = (uint32_t)c.pid;
	explain("/proc", &r);
	assert_true(x.done && x.exists);
	/* A descriptor that the child does not have, but we do. */
	snprintf(fd, sizeof(fd), "/proc/self/fd/%d", c.fd);
	assert_int_equal(access(fd, F_OK), 0);
	look(fd, WANT_EXIST);
	assert_true(x.done && x.exists && S_ISFIFO(x.mode));
	snprintf(r.path, sizeof(r.path), "/proc/self/exe");
	explain("/proc", &r);
	assert_true(x.done && x.exists && S_ISREG(x.mode));
	snprintf(r.path, sizeof(r.path), "/proc/thread-self/status");
	explain("/proc", &r);
	assert_true(x.done && x.exists);
	snprintf(r.path, sizeof(r.path), "/proc/self/no-such-file");
	explain("/proc", &r);
	assert_true(x.done && !x.exists);
	child_end(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_exists),	 TEST(test_missing),	     TEST(test_links),
		TEST(test_deep),	 TEST(test_mount_namespace), TEST(test_root),
		TEST(test_dead_process), TEST(test_zombie),	     TEST(test_proc_self),
	};

	umask(0022);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
