/* SPDX-License-Identifier: GPL-2.0-only */
/* The bounds: of the queue, of the disk, of age and size. */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "db_fixture.h"

static void test_queue_bound(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct task_record t = a_task(1, "t-1", 1, STATE_FINAL);
	char *note = malloc(1 << 20);
	size_t one;
	int r = 0, n = 0;

	memset(note, 'x', 1 << 20);
	note[(1 << 20) - 1] = '\0';
	t.note = note;
	/* The same task again and again takes one place. */
	for (int i = 0; i < 100; i++)
		assert_int_equal(store_put_task(s, &t), 0);
	one = store_queued(s);
	assert_in_range(one, 1 << 20, (1 << 20) + 4096);
	for (n = 1; r == 0 && n < 100; n++) {
		t.attempt = (int)++t.id;
		r = store_put_task(s, &t);
	}
	assert_int_equal(r, -ENOBUFS);
	assert_int_equal(n, 64);
	assert_int_equal(store_dropped(s), 1);
	assert_true(store_queued(s) <= 64 << 20);
	free(note);
	store_close(s);
}

static void test_busy(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct task_record t = a_task(1, "t-1", 1, STATE_FINAL);
	sqlite3 *h;

	assert_int_equal(sqlite3_open(f->path, &h), SQLITE_OK);
	assert_int_equal(sqlite3_exec(h, "BEGIN IMMEDIATE", 0, 0, 0), SQLITE_OK);
	assert_int_equal(store_put_task(s, &t), 0);
	assert_int_equal(store_commit(s), -EBUSY);
	assert_true(store_queued(s) > 0);
	assert_int_equal(sqlite3_exec(h, "COMMIT", 0, 0, 0), SQLITE_OK);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(store_queued(s), 0);
	sqlite3_close(h);
	assert_int_equal(number(f->path, "SELECT count(*) FROM task"), 1);
	store_close(s);
}

/* Fills `s` until a commit fails, then lets `relief` make room. Runs in a child. */
static void fill_up(const char *path, void (*relief)(const char *), const char *arg)
{
	struct task_record t = a_task(1, "t-1", 1, STATE_FINAL);
	struct store *s = NULL;
	char note[16384];
	int r = 0;

	CHECK(store_open(&s, path, (gid_t)-1, NULL) == 0);
	memset(note, 'x', sizeof(note));
	note[sizeof(note) - 1] = '\0';
	t.note = note;
	for (; t.id < 2000 && r == 0; t.id++) {
		t.attempt = (int)t.id;
		CHECK(store_put_task(s, &t) == 0);
		r = store_commit(s);
	}
	CHECK(r == -ENOSPC);
	CHECK(store_queued(s) > 0);
	CHECK(store_commit(s) == -ENOSPC); /* tried again, still there */
	CHECK(store_queued(s) > 0);
	relief(arg);
	CHECK(store_commit(s) == 0);
	CHECK(store_queued(s) == 0);
	CHECK(store_dropped(s) == 0);
	struct task_counts c;
	CHECK(query_counts(store_query(s), &(struct query_filter){ .all_attempts = true }, &c) ==
	      0);
	CHECK(c.tasks == t.id - 1);
	store_close(s);
}

static void raise_limit(const char *unused)
{
	struct rlimit lim;

	getrlimit(RLIMIT_FSIZE, &lim);
	lim.rlim_cur = lim.rlim_max;
	setrlimit(RLIMIT_FSIZE, &lim);
}

static void test_file_size_limit(void **state)
{
	struct fixture *f = *state;
	pid_t pid = fork();

	if (pid == 0) {
		struct rlimit lim;

		signal(SIGXFSZ, SIG_IGN);
		getrlimit(RLIMIT_FSIZE, &lim);
		lim.rlim_cur = 1 << 20;
		CHECK(setrlimit(RLIMIT_FSIZE, &lim) == 0);
		fill_up(f->path, raise_limit, NULL);
		_exit(0);
	}
	assert_int_equal(child_status(pid), 0);
}

static void remove_ballast(const char *path)
{
	CHECK(unlink(path) == 0);
}

static void full_disk(const struct fixture *f)
{
	char ballast[160];
	int fd;

	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("tmpfs", f->base, "tmpfs", 0, "size=4m") < 0)
		_exit(77);
	snprintf(ballast, sizeof(ballast), "%s/ballast", f->base);
	fd = open(ballast, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	CHECK(fd >= 0 && posix_fallocate(fd, 0, 2 << 20) == 0);
	close(fd);
	fill_up(f->path, remove_ballast, ballast);
	_exit(0);
}

static void test_full_disk(void **state)
{
	struct fixture *f = *state;
	pid_t pid = fork();
	int status;

	if (pid == 0)
		full_disk(f);
	status = child_status(pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		print_message("skipped: no mount namespace to be had\n");
		skip();
	}
	assert_int_equal(status, 0);
}

/* ---- retention ---- */

static void fill_tasks(struct store *s, int64_t n, int64_t last_open)
{
	char note[4096];

	memset(note, 'n', sizeof(note));
	note[sizeof(note) - 1] = '\0';
	for (int64_t i = 1; i <= n; i++) {
		struct task_record t =
			a_task(i, "t", (int)i, i == last_open ? STATE_RUNNING : STATE_FINAL);
		struct failure_record row =
			a_failure(1, CAUSE_SECCOMP_DENIED, DISP_FATAL, t.started_ns);
		struct tally_record tally = { .task_id = i, .syscall = "open", .count = 1 };

		t.note = note;
		put(s, &t, &row, 1, 1);
		assert_int_equal(store_add_tally(s, &tally, 1), 0);
	}
	assert_int_equal(store_commit(s), 0);
}

static int retain_all(struct store *s, int64_t now, int64_t age, int64_t bytes, int *slices)
{
	int r;

	*slices = 0;
	do {
		r = store_retain(s, now, age, bytes);
		++*slices;
	} while (r > 0 && *slices < 10000);
	return r;
}

static void test_retain_by_age(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	int slices;

	fill_tasks(s, 100, 3);
	/* Task i ended at T0 + i + 1 seconds: those up to 49 are older. */
	assert_int_equal(
		retain_all(s, T0 + 151 * NSEC_PER_SEC, 100 * NSEC_PER_SEC, 1LL << 40, &slices), 0);
	assert_int_equal(number(f->path, "SELECT count(*) FROM task"), 52);
	assert_int_equal(number(f->path, "SELECT count(*) FROM task WHERE state = 'running'"), 1);
	assert_int_equal(number(f->path, "SELECT min(id) FROM task WHERE state = 'final'"), 50);
	assert_int_equal(number(f->path, "SELECT count(*) FROM failure"), 52);
	assert_int_equal(number(f->path, "SELECT count(*) FROM rollup"), 52);
	assert_int_equal(number(f->path, "SELECT count(*) FROM tally"), 52);
	store_close(s);
}

static void test_retain_by_size(void **state)
{
	const int64_t bytes = 2 << 20;
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct stat st;
	int slices;

	fill_tasks(s, 2000, 1);
	assert_int_equal(retain_all(s, T0, 1LL << 60, bytes, &slices), 0);
	assert_true(slices > 1); /* it did not hold up the loop for all of it */
	assert_int_equal(number(f->path, "SELECT count(*) FROM task WHERE id = 1"), 1);
	assert_int_equal(number(f->path, "SELECT count(*) FROM task WHERE id = 2000"), 1);
	assert_int_equal(number(f->path, "SELECT count(*) FROM task WHERE id = 2"), 0);
	store_close(s);
	assert_int_equal(stat(f->path, &st), 0);
	assert_in_range(st.st_size, bytes / 2, bytes);
	assert_int_equal(number(f->path, ROLLUP_DIFFERS), 0);
}

static void test_instances_are_not_reused(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	struct task_record kernel = a_task(0, "k", 1, STATE_FINAL);
	int slices;

	kernel.id = (1LL << 62) + 3;
	assert_int_equal(store_next_instance(s), 1);
	assert_int_equal(store_next_instance(s), 2);
	fill_tasks(s, 40, 0);
	assert_int_equal(store_put_task(s, &kernel), 0);
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(retain_all(s, T0 + 1000 * NSEC_PER_SEC, 1, 1LL << 40, &slices), 0);
	assert_int_equal(number(f->path, "SELECT count(*) FROM task"), 0);
	assert_int_equal(store_next_instance(s), 41);
	store_close(s);
	s = open_store(f);
	assert_int_equal(store_next_instance(s), 41); /* above every stored one */
	store_close(s);
}

#define T(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_queue_bound),
		T(test_busy),
		T(test_file_size_limit),
		T(test_full_disk),
		T(test_retain_by_age),
		T(test_retain_by_size),
		T(test_instances_are_not_reused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
