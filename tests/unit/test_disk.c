/* SPDX-License-Identifier: GPL-2.0-only */
/* Files as another process sees them: what is found, what is read, and what is left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "disk.h"
#include "procfs.h"
#include "until.h"

static char dir[64];
static struct disk_answer a;
static uint8_t bytes[DISK_MAX], scratch[DISK_MAX];

static const char *at(const char *name)
{
	static char path[4][PATH_MAX];
	static unsigned int n;
	char *p = path[n++ % 4];

	snprintf(p, PATH_MAX, "%s/%s", dir, name);
	return p;
}

static void make(const char *name, const void *data, size_t len)
{
	int fd = open(at(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), len);
	close(fd);
}

static int set_up(void **state)
{
	snprintf(dir, sizeof(dir), "/tmp/sandfault-disk.XXXXXX");
	assert_non_null(mkdtemp(dir));
	assert_int_equal(mkdir(at("files"), 0755), 0);
	make("files/a.txt", "alpha", 5);
	make("top.txt", "top", 3);
	assert_int_equal(symlink("../top.txt", at("files/link")), 0);
	assert_int_equal(symlink("/top.txt", at("files/absolute")), 0);
	assert_int_equal(mkfifo(at("files/fifo"), 0644), 0);
	return 0;
}

static int tear_down(void **state)
{
	char cmd[128];

	snprintf(cmd, sizeof(cmd), "rm -rf '%s'", dir);
	return system(cmd); /* NOLINT(bugprone-command-processor) */
}

/* A process that stands somewhere and waits to be killed. */
static pid_t child(void (*where)(void))
{
	int ready[2];
	char c;
	pid_t pid;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		where();
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		pause();
		_exit(0);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void in_dir(void)
{
	if (chdir(dir) < 0)
		_exit(1);
}

static void in_chroot(void)
{
	if (chroot(dir) < 0 || chdir("/files") < 0)
		_exit(1);
}

/* A tree of its own over files/: what another mount namespace shows. */
static void in_namespace(void)
{
	int fd;

	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", at("files"), "tmpfs", 0, NULL) < 0 || chdir(dir) < 0)
		_exit(1);
	fd = open("files/a.txt", O_WRONLY | O_CREAT, 0644);
	if (fd < 0 || write(fd, "inside", 6) != 6)
		_exit(1);
	close(fd);
}

static int look(pid_t pid, const char *path, const char *root, uint32_t want)
{
	struct disk_question q = { .who.tgid = (uint32_t)pid,
				   .paths[0] = path,
				   .n_paths = 1,
				   .want = want | DISK_NO_ARGV };

	q.roots[0] = root;
	q.n_roots = root != NULL;
	return disk_look("/proc", &q, &a, bytes, scratch);
}

static void test_look(void **state)
{
	pid_t pid = child(in_dir);
	uint8_t want[32];

	assert_int_equal(look(pid, "files/a.txt", NULL, DISK_DIGEST), 0);
	assert_int_equal(a.n_roots, 1);
	assert_int_equal(a.roots[0].kind, DISK_ROOT_CWD);
	assert_string_equal(a.roots[0].path, dir);
	assert_int_equal(a.n_files, 1);
	assert_string_equal(a.files[0].real, at("files/a.txt"));
	assert_true(a.files[0].digested && a.files[0].steady);
	assert_int_equal(EVP_Digest("alpha", 5, want, NULL, EVP_sha256(), NULL), 1);
	assert_memory_equal(a.files[0].digest, want, sizeof(want));
	assert_null(a.bytes);
	/* also by the tree that was declared; both trees are told */
	assert_int_equal(look(pid, "a.txt", at("files"), DISK_BYTES | DISK_SETTLED), 0);
	assert_int_equal(a.n_roots, 2);
	assert_int_equal(a.roots[0].kind, DISK_ROOT_DECLARED);
	assert_int_equal(a.n_files, 1);
	assert_int_equal(a.len, 5);
	assert_memory_equal(a.bytes, "alpha", 5);
	/* nothing there: no error, no file */
	assert_int_equal(look(pid, "nothing", NULL, DISK_DIGEST), 0);
	assert_int_equal(a.n_files, 0);
	end(pid);
	assert_int_equal(look(pid, "top.txt", NULL, DISK_DIGEST), -ESRCH);
}

/* Of two files that a path may mean, the bytes of the one that is not known, or of the younger. */
static void test_which_bytes(void **state)
{
	pid_t pid = child(in_dir);
	struct disk_question q = { .who.tgid = (uint32_t)pid,
				   .paths[0] = "same",
				   .n_paths = 1,
				   .roots[0] = at("files"),
				   .n_roots = 1,
				   .want = DISK_BYTES | DISK_NO_ARGV };
	struct timespec old[2] = { { 1000 }, { 1000 } };

	make("same", "in cwd", 6);
	make("files/same", "in root", 7);
	assert_int_equal(utimensat(AT_FDCWD, at("same"), old, 0), 0);
	assert_int_equal(disk_look("/proc", &q, &a, bytes, scratch), 0);
	assert_int_equal(a.n_files, 2);
	assert_int_equal(a.len, 6);
	assert_memory_equal(a.bytes, "in cwd", 6);
	assert_int_equal(a.read, 0);
	q.want |= DISK_YOUNGEST;
	assert_int_equal(disk_look("/proc", &q, &a, bytes, scratch), 0);
	assert_memory_equal(a.bytes, "in root", 7);
	assert_int_equal(a.read, 1);
	memcpy(q.known[q.n_known++], a.files[1].digest, CALL_DIGEST);
	assert_int_equal(disk_look("/proc", &q, &a, bytes, scratch), 0);
	assert_memory_equal(a.bytes, "in cwd", 6);
	memcpy(q.known[q.n_known++], a.files[0].digest, CALL_DIGEST);
	assert_int_equal(disk_look("/proc", &q, &a, bytes, scratch), 0);
	assert_null(a.bytes);
	end(pid);
}

static void test_links(void **state)
{
	pid_t pid = child(in_dir);

	assert_int_equal(look(pid, "link", at("files"), DISK_DIGEST), 0);
	assert_int_equal(a.n_files, 1);
	assert_true(a.files[0].link);
	assert_true(a.files[0].link_ns > 0 && a.files[0].link_ns <= util_now_realtime());
	assert_string_equal(a.files[0].real, at("top.txt"));
	assert_int_equal(look(pid, "files/../top.txt", NULL, 0), 0);
	assert_false(a.files[0].link);
	assert_string_equal(a.files[0].real, at("top.txt"));
	assert_false(a.files[0].digested);
	end(pid);
}

/* What may block, or does something when it is opened, is told of but not opened. */
static void test_not_regular(void **state)
{
	pid_t pid = child(in_dir);

	assert_int_equal(look(pid, "files/fifo", NULL, DISK_BYTES), 0);
	assert_int_equal(a.n_files, 1);
	assert_true(S_ISFIFO(a.files[0].mode));
	assert_false(a.files[0].digested);
	assert_int_equal(look(pid, "/proc/version", NULL, DISK_BYTES), 0);
	assert_false(a.files[0].digested);
	assert_null(a.bytes);
	assert_int_equal(look(pid, "/dev/zero", NULL, DISK_BYTES), 0);
	assert_null(a.bytes);
	end(pid);
}

/* ---- it ends while it is looked at ---- */

struct killer {
	pid_t pid;
	const char *path;
	volatile bool over;
};

static bool is_open(const char *path)
{
	char name[64], target[PATH_MAX];

	for (int fd = 0; fd < 64; fd++) {
		ssize_t n;

		snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
		n = readlink(name, target, sizeof(target) - 1);
		if (n > 0 && (size_t)n == strlen(path) && memcmp(target, path, (size_t)n) == 0)
			return true;
	}
	return false;
}

static void *kill_once_open(void *arg)
{
	struct killer *k = arg;

	while (!k->over && !is_open(k->path))
		sched_yield();
	end(k->pid);
	return NULL;
}

/* A server that ends right after its answer has still shown its file. */
static void test_ends_meanwhile(void **state)
{
	struct disk_question q = { .who.start_ns = (uint64_t)util_now_boottime(),
				   .paths[0] = "fresh.txt",
				   .n_paths = 1,
				   .want = DISK_BYTES | DISK_SETTLED };
	struct killer k = { .pid = child(in_dir), .path = at("fresh.txt") };
	pthread_t thread;
	int r;

	q.who.tgid = (uint32_t)k.pid;
	make("fresh.txt", "fresh", 5);
	assert_int_equal(pthread_create(&thread, NULL, kill_once_open, &k), 0);
	r = disk_look("/proc", &q, &a, bytes, scratch);
	k.over = true;
	pthread_join(thread, NULL);
	assert_int_equal(r, 0);
	assert_int_equal(a.len, 5);
	assert_memory_equal(a.bytes, "fresh", 5);
}

static void test_start_time(void **state)
{
	struct disk_question q = { .paths[0] = "/", .n_paths = 1 };
	pid_t pid;

	q.who.start_ns = (uint64_t)util_now_boottime();
	pid = child(in_dir);
	q.who.tgid = (uint32_t)pid;
	assert_int_equal(disk_look("/proc", &q, &a, bytes, scratch), 0);
	q.who.start_ns -= NSEC_PER_SEC; /* another process that had this number */
	assert_int_equal(disk_look("/proc", &q, &a, bytes, scratch), -ESRCH);
	end(pid);
}

static void test_chroot(void **state)
{
	pid_t pid;

	if (geteuid() != 0)
		skip();
	pid = child(in_chroot);
	assert_int_equal(look(pid, "a.txt", NULL, DISK_BYTES), 0);
	assert_string_equal(a.roots[0].path, "/files");
	assert_int_equal(a.n_files, 1);
	assert_memory_equal(a.bytes, "alpha", 5);
	assert_int_equal(look(pid, "absolute", NULL, DISK_BYTES), 0);
	assert_string_equal(a.files[0].real, "/top.txt");
	assert_memory_equal(a.bytes, "top", 3);
	end(pid);
}

static void test_namespace(void **state)
{
	pid_t pid;

	if (geteuid() != 0)
		skip();
	pid = child(in_namespace);
	assert_int_equal(look(pid, "files/a.txt", NULL, DISK_BYTES), 0);
	assert_int_equal(a.n_files, 1);
	assert_int_equal(a.len, 6);
	assert_memory_equal(a.bytes, "inside", 6);
	end(pid);
}

/* ---- by the helper ---- */

struct told {
	int n, err;
	size_t len;
	bool again;
	struct disk *d;
	const struct disk_question *q;
};

static void on_told(int err, const struct disk_answer *x, void *arg)
{
	struct told *t = arg;

	t->n++;
	t->err = err;
	t->len = x && x->bytes ? x->len : 0;
	if (t->again) {
		t->again = false;
		assert_int_equal(disk_ask(t->d, t->q, on_told, t), 0);
		assert_true(!x || !x->bytes || memcmp(x->bytes, "alpha", 5) == 0);
	}
}

static bool told_one(void *arg)
{
	return ((struct told *)arg)->n >= 1;
}

static bool told_two(void *arg)
{
	return ((struct told *)arg)->n >= 2;
}

static void test_helper(void **state)
{
	pid_t pid = child(in_dir);
	struct disk_question q = { .who.tgid = (uint32_t)pid,
				   .paths[0] = "files/a.txt",
				   .n_paths = 1,
				   .want = DISK_BYTES };
	struct told t = { .again = true, .q = &q }, never = { 0 };
	struct disk *d;
	struct loop *l;

	assert_int_equal(loop_new(&l), 0);
	assert_int_equal(disk_new(&d, l, 5 * NSEC_PER_SEC), 0);
	t.d = d;
	assert_int_equal(disk_ask(d, &q, on_told, &never), 0);
	disk_forget(d, &never);
	assert_int_equal(disk_ask(d, &q, on_told, &t), 0);
	assert_true(run_until(l, told_two, &t));
	assert_int_equal(t.err, 0);
	assert_int_equal(t.len, 5);
	assert_int_equal(never.n, 0);
	q.paths[0] = "";
	assert_int_equal(disk_ask(d, &q, on_told, &t), -EINVAL);
	end(pid);
	q.paths[0] = "files/a.txt";
	t.n = 0;
	assert_int_equal(disk_ask(d, &q, on_told, &t), 0);
	assert_true(run_until(l, told_one, &t));
	assert_int_equal(t.err, -ESRCH);
	assert_int_equal(disk_killed(d), 0);
	disk_free(d);
	loop_free(l);
}

/* Stops our children of that name, as a hung file system would; how many. */
static size_t stop_named(void)
{
	_cleanup_free_ pid_t *pids = NULL;
	struct procfs_info info;
	size_t n, stopped = 0;

	assert_int_equal(procfs_descendants("/proc", getpid(), &pids, &n), 0);
	for (size_t i = 0; i < n; i++)
		if (procfs_read("/proc", pids[i], &info) == 0 &&
		    strcmp(info.comm, "sandfault-disk") == 0)
			stopped += kill(pids[i], SIGSTOP) == 0;
	return stopped;
}

/* They name themselves, each when it gets to run. */
static void stop_helper(void)
{
	int64_t until = util_now_boottime() + 10 * NSEC_PER_SEC;
	size_t stopped;

	do {
		stopped = stop_named();
	} while (stopped < 2 && util_now_boottime() < until);
	assert_int_equal(stopped, 2); /* one for files that are to settle */
}

/* A helper that does not answer: its question ends in time, the next is answered by a new one. */
static void test_hung_helper(void **state)
{
	pid_t pid = child(in_dir);
	struct disk_question q = { .who.tgid = (uint32_t)pid,
				   .paths[0] = "files/a.txt",
				   .n_paths = 1,
				   .want = DISK_BYTES };
	struct told t = { 0 };
	struct disk *d;
	struct loop *l;

	assert_int_equal(loop_new(&l), 0);
	assert_int_equal(disk_new(&d, l, NSEC_PER_SEC / 5), 0);
	assert_int_equal(disk_ask(d, &q, on_told, &t), 0);
	assert_true(run_until(l, told_one, &t));
	assert_int_equal(t.err, 0);
	stop_helper();
	t.n = 0;
	assert_int_equal(disk_ask(d, &q, on_told, &t), 0);
	assert_true(run_until(l, told_one, &t));
	assert_int_equal(t.err, -ETIME);
	assert_int_equal(disk_killed(d), 1);
	t.n = 0;
	assert_int_equal(disk_ask(d, &q, on_told, &t), 0);
	assert_true(run_until(l, told_one, &t));
	assert_int_equal(t.err, 0);
	assert_int_equal(t.len, 5);
	end(pid);
	disk_free(d);
	loop_free(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_look),	    cmocka_unit_test(test_links),
		cmocka_unit_test(test_which_bytes), cmocka_unit_test(test_not_regular),
		cmocka_unit_test(test_start_time),  cmocka_unit_test(test_chroot),
		cmocka_unit_test(test_namespace),   cmocka_unit_test(test_helper),
		cmocka_unit_test(test_hung_helper), cmocka_unit_test(test_ends_meanwhile),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
